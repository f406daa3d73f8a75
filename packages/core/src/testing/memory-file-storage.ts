import { chunkCountOf, WarrenError } from "@warren/protocol";
import type { Bytes, FileLayout, FileSink, FileStorage, ListedRecord } from "../ports/file-storage.ts";

/** What a test can hold up, see {@link MemoryFileStorage.before}. */
export type StorageOperation =
  | "writeRecord"
  | "readDigests"
  | "openSink"
  | "read"
  | "write"
  | "finish"
  | "close";

interface StoredBytes {
  readonly chunks: Map<number, { readonly bytes: Bytes; readonly digest: Bytes }>;
  whole: Blob | null;
}

/** Files in memory, as durable as the object: keep it and create a new library on it to simulate a reload. */
export class MemoryFileStorage implements FileStorage {
  readonly kind: FileStorage["kind"];
  /** The capacity in bytes; lower it to simulate a full disk. */
  limitBytes: number;
  /** Another program filled the disk: nothing is written, not even records. */
  isFull = false;
  /** Its database does not open, as in Chromium on a full disk after a reload. */
  isUnreadable = false;
  /** Called before each operation, which waits for the result: never settles for storage that does not answer. */
  before: (operation: StorageOperation) => Promise<void> = async () => {};
  /** Chunk writes so far. */
  writeCount = 0;
  /** Chunk writes from this one on wait for {@link release} or {@link lose}: stops a transfer at a known point. */
  holdAt = Number.POSITIVE_INFINITY;
  readonly #held = new Set<{ readonly resolve: () => void; readonly reject: (error: WarrenError) => void }>();
  readonly #records = new Map<string, unknown>();
  readonly #files = new Map<string, StoredBytes>();

  /** @param options.kind the storage kind to simulate: copies of sent files are kept if storage outlives the page. */
  constructor({
    limitBytes = 256 * 1024 * 1024,
    kind = "memory",
  }: { readonly limitBytes?: number; readonly kind?: FileStorage["kind"] } = {}) {
    this.kind = kind;
    this.limitBytes = limitBytes;
  }

  async listRecords(): Promise<ListedRecord[]> {
    if (this.isUnreadable) throw new WarrenError("db-not-initialized");
    return Array.from(this.#records, ([fid, record]) => ({
      fid,
      record: structuredClone(record),
      hasBytes: this.#files.has(fid),
    }));
  }

  async writeRecord(fid: string, record: unknown): Promise<void> {
    await this.before("writeRecord");
    if (this.isFull) throw new WarrenError("db-not-initialized");
    this.#records.set(fid, structuredClone(record));
  }

  async readDigests(fid: string): Promise<ReadonlyMap<number, Bytes>> {
    await this.before("readDigests");
    return new Map(Array.from(this.#files.get(fid)?.chunks ?? [], ([chunk, { digest }]) => [chunk, digest]));
  }

  async openSink(fid: string, layout: FileLayout): Promise<FileSink> {
    await this.before("openSink");
    const file = this.#files.get(fid) ?? { chunks: new Map(), whole: null };
    this.#files.set(fid, file);
    const writing = new Set<Promise<void>>();
    return {
      read: async (chunk) => {
        await this.before("read");
        return file.chunks.get(chunk)?.bytes.slice() ?? null;
      },
      write: (chunk, bytes, digest) => {
        const written = this.#write(file, chunk, bytes, digest).finally(() => writing.delete(written));
        writing.add(written);
        return written;
      },
      finish: async (onProgress) => {
        await this.before("finish");
        if (file.whole) return;
        await Promise.all(writing);
        const parts = Array.from({ length: chunkCountOf(layout.fileSize, layout.chunkSize) }, (_, chunk) => {
          const stored = file.chunks.get(chunk);
          if (!stored) throw new WarrenError("storage-failed", { reason: `chunk ${chunk} is missing` });
          return stored.bytes;
        });
        file.whole = new Blob(parts, { type: layout.mimeType });
        onProgress?.(1);
      },
      close: async () => {
        await this.before("close");
        await Promise.allSettled(writing);
      },
    };
  }

  async readFile(fid: string): Promise<Blob | null> {
    return this.#files.get(fid)?.whole ?? null;
  }

  async remove(fid: string): Promise<void> {
    this.#records.delete(fid);
    this.#files.delete(fid);
  }

  async freeBytes(): Promise<number | null> {
    return Math.max(0, this.limitBytes - this.#usedBytes());
  }

  close(): void {}

  /** Completes held writes. */
  release(): void {
    this.holdAt = Number.POSITIVE_INFINITY;
    for (const { resolve } of this.#held) resolve();
    this.#held.clear();
  }

  /** Drops held writes, as a killed tab does. */
  lose(): void {
    this.holdAt = Number.POSITIVE_INFINITY;
    for (const { reject } of this.#held) reject(new WarrenError("storage-failed", { reason: "killed" }));
    this.#held.clear();
  }

  /** Flips one bit of a stored chunk, as a failing disk does. */
  corrupt(fid: string, chunk: number, bit = 0): void {
    const bytes = this.#files.get(fid)?.chunks.get(chunk)?.bytes;
    if (bytes) bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
  }

  /** Deletes a file's bytes without the app's knowledge; its record remains. */
  loseBytes(fid: string): void {
    this.#files.delete(fid);
  }

  /** Truncates a file in the middle of its last chunk; records and digests remain. */
  truncate(fid: string): void {
    const file = this.#files.get(fid);
    const last = [...(file?.chunks ?? [])].at(-1);
    if (!file || !last) return;
    const [chunk, { bytes, digest }] = last;
    file.chunks.set(chunk, { bytes: bytes.slice(0, bytes.byteLength / 2), digest });
    file.whole = null;
  }

  async #write(file: StoredBytes, chunk: number, bytes: Bytes, digest: Bytes): Promise<void> {
    await this.before("write");
    if (this.writeCount >= this.holdAt)
      await new Promise<void>((resolve, reject) => this.#held.add({ resolve, reject }));
    if (this.isFull || this.#usedBytes() + bytes.byteLength > this.limitBytes)
      throw new WarrenError("storage-full");
    this.writeCount++;
    file.chunks.set(chunk, { bytes: bytes.slice(), digest: digest.slice() });
  }

  #usedBytes(): number {
    let used = 0;
    for (const { chunks } of this.#files.values())
      for (const { bytes } of chunks.values()) used += bytes.byteLength;
    return used;
  }
}
