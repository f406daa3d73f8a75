import { type DBSchema, openDB } from "idb";
import { sharedStore } from "./messages.ts";
import { isStale, type ShareStamp } from "./share-stamp.ts";

/** The fields of the manifest's `share_target`, unvalidated: the page validates them. */
export interface SharedFields {
  readonly type: "fields";
  readonly title: string;
  readonly text: string;
  readonly url: string;
}

/** A share as stored by the service worker; the page turns it into an item of the tray. */
export type SharedRecord = (SharedFields | { readonly type: "file"; readonly file: File }) & {
  readonly share: ShareStamp;
};

/** The size of the store's content. */
export interface Waiting {
  readonly count: number;
  readonly bytes: number;
}

/** Where records are stored. */
export interface SharedStore {
  /** Counts the pending records, after deleting those older than a day. */
  waiting(): Promise<Waiting>;
  add(record: SharedRecord): Promise<void>;
  close(): void;
}

interface SharedSchema extends DBSchema {
  items: { key: number; value: unknown };
}

/** Opens the tray's store, which pages open as `StoredItems` in platform. */
export async function openSharedStore(name = sharedStore): Promise<SharedStore> {
  const database = await openDB<SharedSchema>(name, 1, {
    upgrade: (fresh) => void fresh.createObjectStore("items", { autoIncrement: true }),
  });
  return {
    async waiting() {
      const { store, done } = database.transaction("items", "readwrite");
      const [keys, all] = await Promise.all([store.getAllKeys(), store.getAll()]);
      await Promise.all([...keys.filter((_, i) => isStale(all[i])).map((key) => store.delete(key)), done]);
      const values = all.filter((value) => !isStale(value));
      return { count: values.length, bytes: values.reduce<number>((sum, value) => sum + bytesOf(value), 0) };
    },
    async add(record) {
      await database.add("items", record);
    },
    close: () => database.close(),
  };
}

function bytesOf(value: unknown): number {
  if (typeof value !== "object" || value === null || !("file" in value)) return 0;
  return value.file instanceof File ? value.file.size : 0;
}
