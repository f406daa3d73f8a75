import type { KeyValueStorage } from "../../ports/key-value-storage.ts";

/** Strings by key that live as long as the object. */
export class MemoryKeyValueStorage implements KeyValueStorage {
  readonly #values = new Map<string, string>();

  read(key: string): string | null {
    return this.#values.get(key) ?? null;
  }

  write(key: string, value: string): void {
    this.#values.set(key, value);
  }

  remove(key: string): void {
    this.#values.delete(key);
  }
}
