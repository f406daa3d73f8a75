import { type SharedSchema, sharedDatabase } from "../../service-worker/shared-database.ts";
import { handOver, IndexedDatabase } from "./indexed-database.ts";

/** The stored items of the share tray, as a page uses them. Files are stored with their bytes. */
export class SharedItems {
  readonly #database: IndexedDatabase<SharedSchema>;

  constructor(name: string = sharedDatabase.name) {
    this.#database = new IndexedDatabase(name, sharedDatabase.version, sharedDatabase.upgrade);
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
