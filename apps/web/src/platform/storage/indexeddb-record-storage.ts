import type { RecordChanges, RecordRange, RecordStorage, StoredRecord } from "@warren/core";
import type { DBSchema, IDBPObjectStore } from "idb";
import { handOver, IndexedDatabase } from "./indexed-database.ts";

interface RecordsSchema extends DBSchema {
  records: {
    key: string;
    value: StoredRecord;
    indexes: { "by-group": [string, number]; "by-subject": string };
  };
}

type RecordStore = IDBPObjectStore<RecordsSchema, ["records"], "records", "readwrite">;

/** Every place of a group: an array without an order sorts before it, one with an array after it. */
const wholeGroup = (group: string) => IDBKeyRange.bound([group], [group, []]);

/** Durable records in one IndexedDB database. */
export class IndexedDbRecordStorage implements RecordStorage {
  readonly #database: IndexedDatabase<RecordsSchema>;

  constructor(name: string) {
    this.#database = new IndexedDatabase(name, 2, (database, oldVersion, _newVersion, transaction) => {
      if (oldVersion < 1)
        database.createObjectStore("records", { keyPath: "key" }).createIndex("by-group", ["group", "order"]);
      transaction.objectStore("records").createIndex("by-subject", "subject");
    });
  }

  /** Opens the database before its first use, which reports it if that fails. */
  openAhead(): void {
    this.#database.use(async () => {}).catch(() => {});
  }

  list(group: string, { from, before, first, last }: RecordRange = {}): Promise<StoredRecord[]> {
    return this.#database.use(async (database) => {
      const lower = from === undefined ? [group] : [group, from];
      const upper = before === undefined ? [group, []] : [group, before];
      // IndexedDB does not support empty ranges.
      if (indexedDB.cmp(lower, upper) >= 0) return [];
      const index = database.transaction("records").store.index("by-group");
      const wanted = IDBKeyRange.bound(lower, upper, false, true);
      const count = first ?? last;
      if (count === undefined) return index.getAll(wanted);
      const cursor = await index.openKeyCursor(wanted, first === undefined ? "prev" : "next");
      const edge = count > 1 ? await cursor?.advance(count - 1) : cursor;
      if (!edge) return index.getAll(wanted);
      return index.getAll(
        first === undefined
          ? IDBKeyRange.bound(edge.key, upper, false, true)
          : IDBKeyRange.bound(lower, edge.key),
      );
    });
  }

  get(keys: readonly string[]): Promise<StoredRecord[]> {
    return this.#database.use(async (database) => {
      const { store } = database.transaction("records");
      const records = await Promise.all([...new Set(keys)].map((key) => store.get(key)));
      return records.filter((record) => record !== undefined);
    });
  }

  about(subjects: readonly string[]): Promise<StoredRecord[]> {
    return this.#database.use(async (database) => {
      const index = database.transaction("records").store.index("by-subject");
      return (await Promise.all([...new Set(subjects)].map((subject) => index.getAll(subject)))).flat();
    });
  }

  countAfter(group: string, order: number): Promise<number> {
    return this.#database.use((database) =>
      database.countFromIndex("records", "by-group", IDBKeyRange.bound([group, order], [group, []], true)),
    );
  }

  groups(): Promise<string[]> {
    return this.#database.use(async (database) => {
      const names: string[] = [];
      let cursor = await database.transaction("records").store.index("by-group").openKeyCursor();
      while (cursor) {
        const [group] = cursor.key;
        names.push(group);
        cursor = await cursor.continue(afterGroup(group));
      }
      return names;
    });
  }

  write(changes: RecordChanges): Promise<void> {
    return this.#change(async (store) => enqueue(store, changes));
  }

  async addIfAbsent(record: StoredRecord, further: RecordChanges = {}): Promise<boolean> {
    let isTaken = false;
    try {
      await this.#change(async (store) => {
        // Stored without looking for its key first: the page could be closed by then.
        store.add(record).catch((failure: unknown) => {
          isTaken = failure instanceof Error && failure.name === "ConstraintError";
        });
        enqueue(store, further);
      });
      return true;
    } catch (failure) {
      if (isTaken) return false;
      throw failure;
    }
  }

  deleteGroups(groups: readonly string[], further: RecordChanges = {}): Promise<void> {
    return this.#change(async (store) => {
      const index = store.index("by-group");
      const keys = await Promise.all(groups.map((group) => index.getAllKeys(wholeGroup(group))));
      enqueue(store, { delete: keys.flat() });
      enqueue(store, further);
    });
  }

  close(): void {
    this.#database.close();
  }

  /** Runs a change in one transaction: all of it is durable when this resolves, none of it when it rejects. */
  #change<T>(change: (store: RecordStore) => Promise<T>): Promise<T> {
    return this.#database.use(async (database) => {
      const transaction = database.transaction("records", "readwrite");
      const done = transaction.done;
      done.catch(() => {}); // a change that throws is reported instead
      try {
        const result = await change(transaction.store);
        handOver(transaction);
        await done;
        return result;
      } catch (failure) {
        abort(transaction);
        throw failure;
      }
    });
  }
}

/** The first index key that can belong to another group. IndexedDB sorts arrays after numbers. */
function afterGroup(group: string): [string, number] {
  const key: [string, unknown] = [group, []];
  return key as [string, number];
}

/** Requests changes; the end of the transaction tells whether they succeeded. */
function enqueue(store: RecordStore, changes: RecordChanges): void {
  for (const record of changes.put ?? []) store.put(record).catch(() => {});
  for (const key of changes.delete ?? []) store.delete(key).catch(() => {});
}

function abort(transaction: { abort(): void }): void {
  try {
    transaction.abort();
  } catch {
    // It had already ended.
  }
}
