import type { DBSchema } from "idb";
import { IndexedDatabase } from "./indexed-database.ts";

interface ItemsSchema extends DBSchema {
  items: { key: number; value: unknown };
}

/** Things in the order they came, durable, each under a number. Files among them are kept with their bytes. */
export class KeptItems {
  readonly #database: IndexedDatabase<ItemsSchema>;

  constructor(name: string) {
    this.#database = new IndexedDatabase(name, 1, (database) => {
      database.createObjectStore("items", { autoIncrement: true });
    });
  }

  /** All of them; what they hold is for the caller to check. */
  list(): Promise<readonly (readonly [key: number, value: unknown])[]> {
    return this.#database.use(async (database) => {
      const { store } = database.transaction("items");
      const [keys, values] = await Promise.all([store.getAllKeys(), store.getAll()]);
      return keys.map((key, i) => [key, values[i]] as const);
    });
  }

  /** @returns the number it is kept under. */
  add(value: unknown): Promise<number> {
    return this.#database.use((database) => database.add("items", value));
  }

  remove(key: number): Promise<void> {
    return this.#database.use((database) => database.delete("items", key));
  }

  close(): void {
    this.#database.close();
  }
}
