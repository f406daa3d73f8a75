import type { Bytes, FileLayout, FileSink, FileStorage, ListedRecord } from "@warren/core";
import { handOver } from "../storage/indexed-database.ts";
import { chunksOf, type FileDatabase, openFileDatabase } from "./file-database.ts";
import { IndexedDbFileSink, type IndexedDbFileSinkOptions } from "./indexeddb-file-sink.ts";

/** Options of an {@link IndexedDbFileStorage}. */
export interface IndexedDbFileStorageOptions extends Partial<IndexedDbFileSinkOptions> {
  /** The browser's quota. */
  readonly estimate?: () => Promise<StorageEstimate | null>;
}

/**
 * Files in one IndexedDB database: a Blob per chunk while a file is received, one Blob for a complete file.
 */
export class IndexedDbFileStorage implements FileStorage {
  readonly kind = "indexeddb";
  readonly #database: FileDatabase;
  readonly #options: Required<IndexedDbFileStorageOptions>;

  constructor(name: string, options: IndexedDbFileStorageOptions = {}) {
    this.#options = { batchChunks: () => 12, batchDelayMs: 1_000, estimate: estimateStorage, ...options };
    this.#database = openFileDatabase(name);
  }

  listRecords(): Promise<ListedRecord[]> {
    return this.#database.use(async (database) => {
      const transaction = database.transaction(["records", "chunks", "files"]);
      const records = transaction.objectStore("records");
      const [fids, values, whole, chunks] = await Promise.all([
        records.getAllKeys(),
        records.getAll(),
        transaction.objectStore("files").getAllKeys(),
        transaction.objectStore("chunks").getAllKeys(),
      ]);
      const stored = new Set([...whole, ...chunks.map(([fid]) => fid)]);
      return fids.map((fid, index) => ({ fid, record: values[index], hasBytes: stored.has(fid) }));
    });
  }

  writeRecord(fid: string, record: unknown): Promise<void> {
    return this.#database.use(async (database) => {
      const transaction = database.transaction("records", "readwrite", { durability: "strict" });
      const written = transaction.store.put(record, fid);
      handOver(transaction);
      await Promise.all([written, transaction.done]);
    });
  }

  readDigests(fid: string): Promise<ReadonlyMap<number, Bytes>> {
    return this.#database.use(async (database) => {
      const { store } = database.transaction("digests");
      const [keys, digests] = await Promise.all([
        store.getAllKeys(chunksOf(fid)),
        store.getAll(chunksOf(fid)),
      ]);
      return new Map(
        keys.flatMap(([, chunk], index) => {
          const digest = digests[index];
          return digest ? [[chunk, digest] as const] : [];
        }),
      );
    });
  }

  async openSink(fid: string, layout: FileLayout): Promise<FileSink> {
    return new IndexedDbFileSink(this.#database, fid, layout, this.#options);
  }

  async readFile(fid: string): Promise<Blob | null> {
    return (await this.#database.use((database) => database.get("files", fid))) ?? null;
  }

  remove(fid: string): Promise<void> {
    return this.#database.use(async (database) => {
      const transaction = database.transaction(["records", "chunks", "digests", "files"], "readwrite");
      const deleted = [
        transaction.objectStore("records").delete(fid),
        transaction.objectStore("files").delete(fid),
        transaction.objectStore("chunks").delete(chunksOf(fid)),
        transaction.objectStore("digests").delete(chunksOf(fid)),
      ];
      handOver(transaction);
      await Promise.all([...deleted, transaction.done]);
    });
  }

  async freeBytes(): Promise<number | null> {
    const estimate = await this.#options.estimate();
    if (estimate?.quota === undefined || estimate.usage === undefined) return null;
    return Math.max(0, estimate.quota - estimate.usage);
  }

  close(): void {
    this.#database.close();
  }
}

async function estimateStorage(): Promise<StorageEstimate | null> {
  try {
    // Missing in older browsers and outside secure contexts, although the types declare it.
    const storage: StorageManager | undefined = navigator.storage;
    return (await storage?.estimate()) ?? null;
  } catch {
    return null;
  }
}
