import type { DBSchema } from "idb";
import { handOver, IndexedDatabase } from "./indexed-database.ts";

interface ItemsSchema extends DBSchema {
  items: { key: number; value: unknown };
}

/** Durable items in order of arrival, each with a number. Files are stored with their bytes. */
export class StoredItems {
  readonly #database: IndexedDatabase<ItemsSchema>;

  constructor(name: string) {
    this.#database = new IndexedDatabase(name, 1, (database) => {
      database.createObjectStore("items", { autoIncrement: true });
    });
  }

  /** All items; the caller validates them. */
  list(): Promise<readonly (readonly [key: number, value: unknown])[]> {
    return this.#database.use(async (database) => {
      const { store } = database.transaction("items");
      const [keys, values] = await Promise.all([store.getAllKeys(), store.getAll()]);
      return keys.map((key, i) => [key, values[i]] as const);
    });
  }

  /** @returns the number of the item. */
  add(value: unknown): Promise<number> {
    return this.#database.use(async (database) => {
      const transaction = database.transaction("items", "readwrite");
      const added = transaction.store.add(value);
      handOver(transaction);
      return (await Promise.all([added, transaction.done]))[0];
    });
  }

  remove(key: number): Promise<void> {
    return this.#database.use(async (database) => {
      const transaction = database.transaction("items", "readwrite");
      const deleted = transaction.store.delete(key);
      handOver(transaction);
      await Promise.all([deleted, transaction.done]);
    });
  }

  close(): void {
    this.#database.close();
  }
}
