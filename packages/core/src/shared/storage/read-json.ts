import type { KeyValueStorage } from "../../ports/key-value-storage.ts";

/** Reads a stored JSON value; undefined if there is none or it does not parse. */
export function readJson(storage: KeyValueStorage, key: string): unknown {
  const text = storage.read(key);
  if (text === null) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
