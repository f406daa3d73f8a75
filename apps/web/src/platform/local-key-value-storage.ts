import type { KeyValueStorage } from "@warren/core";
import { webStorage } from "./web-storage.ts";

/** Storage that persists between visits. `onDenied` is called once when something cannot be persisted. */
export function localKeyValueStorage(onDenied: (reason: unknown) => void): KeyValueStorage {
  return webStorage(() => localStorage, onDenied);
}
