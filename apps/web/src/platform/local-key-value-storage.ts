import type { KeyValueStorage } from "@warren/core";
import { webStorage } from "./web-storage.ts";

/** What this browser keeps between visits. `onDenied` is told once when something will not be kept. */
export function localKeyValueStorage(onDenied: (reason: unknown) => void): KeyValueStorage {
  return webStorage(() => localStorage, onDenied);
}
