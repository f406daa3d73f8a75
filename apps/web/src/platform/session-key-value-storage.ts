import type { KeyValueStorage } from "@warren/core";
import { webStorage } from "./web-storage.ts";

/** Storage of this tab that persists across reloads. Denied storage loses nothing, so it is not reported. */
export function sessionKeyValueStorage(): KeyValueStorage {
  return webStorage(
    () => sessionStorage,
    () => {},
  );
}
