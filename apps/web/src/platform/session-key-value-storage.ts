import type { KeyValueStorage } from "@warren/core";
import { webStorage } from "./web-storage.ts";

/** What this tab keeps across reloads. Being denied it costs nobody anything, so nobody is told. */
export function sessionKeyValueStorage(): KeyValueStorage {
  return webStorage(
    () => sessionStorage,
    () => {},
  );
}
