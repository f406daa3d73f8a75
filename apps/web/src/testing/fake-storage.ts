import type { KeyValueStorage } from "@warren/core";

/** Storage of one origin or tab; pages that are given the same entries share it. */
export function fakeStorage(entries = new Map<string, string>()): KeyValueStorage {
  return {
    read: (key) => entries.get(key) ?? null,
    write: (key, value) => void entries.set(key, value),
    remove: (key) => void entries.delete(key),
  };
}
