import type { KeyValueStorage } from "@warren/core";
import { webStorage } from "./web-storage.ts";

/** Storage of this tab that persists across reloads. If it is denied nothing is lost, so that is not reported. */
export function sessionKeyValueStorage(): KeyValueStorage {
  return webStorage(
    () => sessionStorage,
    () => {},
  );
}
