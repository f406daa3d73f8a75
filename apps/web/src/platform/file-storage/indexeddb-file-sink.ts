import type { Bytes, FileLayout, FileSink } from "@warren/core";
import { chunkCountOf, WarrenError } from "@warren/protocol";
import { chunksOf, type FileDatabase } from "./file-database.ts";

/** How chunks are batched. */
export interface IndexedDbFileSinkOptions {
  /** Chunks stored in one transaction. */
  readonly batchChunks: () => number;
  /** How long a chunk may wait for others, in ms. */
  readonly batchDelayMs: number;
}

/** Large chunks are stored sooner: pending chunks are held in memory. */
const batchBytesLimit = 8 * 1024 * 1024;
/** Blobs fetched at once while a file is assembled. */
const gatherCount = 256;

interface GatheredChunk {
  readonly chunk: number;
  readonly bytes: Bytes;
  readonly digest: Bytes;
  readonly resolve: () => void;
  readonly reject: (failure: unknown) => void;
}

/** Stores chunks in batches, because a transaction costs about as much as the chunks in it. */
export class IndexedDbFileSink implements FileSink {
  readonly #database: FileDatabase;
  readonly #fid: string;
  readonly #layout: FileLayout;
  readonly #options: IndexedDbFileSinkOptions;
  #gathered: GatheredChunk[] = [];
  #gatheredBytes = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #storing = new Set<Promise<void>>();

  constructor(database: FileDatabase, fid: string, layout: FileLayout, options: IndexedDbFileSinkOptions) {
    this.#database = database;
    this.#fid = fid;
    this.#layout = layout;
    this.#options = options;
  }

  async read(chunk: number): Promise<Bytes | null> {
    const blob = await this.#database.use(async (database) => {
      const transaction = database.transaction(["chunks", "files"]);
      const stored = await transaction.objectStore("chunks").get([this.#fid, chunk]);
      return stored ?? this.#sliceOf(await transaction.objectStore("files").get(this.#fid), chunk);
    });
    try {
      return blob && new Uint8Array(await blob.arrayBuffer());
    } catch {
      return null; // the record exists but its file does not
    }
  }

  write(chunk: number, bytes: Bytes, digest: Bytes): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#gathered.push({ chunk, bytes, digest, resolve, reject });
      this.#gatheredBytes += bytes.byteLength;
      if (this.#gathered.length >= this.#options.batchChunks() || this.#gatheredBytes >= batchBytesLimit)
        this.#flush();
      else this.#timer ??= setTimeout(() => this.#flush(), this.#options.batchDelayMs);
    });
  }

  async finish(onProgress?: (progress: number) => void): Promise<void> {
    await this.#settle();
    onProgress?.(0);
    const whole = await this.#gatherWhole(onProgress);
    if (whole) {
      await this.#database.use(async (database) => {
        const transaction = database.transaction("files", "readwrite", { durability: "strict" });
        await Promise.all([transaction.store.put(whole, this.#fid), transaction.done]);
      });
      // Deleted only now, so that a crash before leaves the chunks and one after leaves the file.
      await this.#database.use((database) => database.delete("chunks", chunksOf(this.#fid)));
    }
    onProgress?.(1);
  }

  async close(): Promise<void> {
    await this.#settle();
  }

  /** Stores pending chunks, and waits for all writes. A failure rejects the write of its chunk, not this. */
  async #settle(): Promise<void> {
    this.#flush();
    await Promise.all(this.#storing);
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#gathered.length === 0) return;
    const batch = this.#gathered;
    this.#gathered = [];
    this.#gatheredBytes = 0;
    const storing = this.#store(batch)
      .then(
        () => {
          for (const { resolve } of batch) resolve();
        },
        (failure: unknown) => {
          for (const { reject } of batch) reject(failure);
        },
      )
      .finally(() => this.#storing.delete(storing));
    this.#storing.add(storing);
  }

  #store(batch: readonly GatheredChunk[]): Promise<void> {
    return this.#database.use(async (database) => {
      // Relaxed durability survives a killed process; only a power failure can lose it, which resuming
      // detects.
      const transaction = database.transaction(["chunks", "digests"], "readwrite", { durability: "relaxed" });
      const chunks = transaction.objectStore("chunks");
      const digests = transaction.objectStore("digests");
      await Promise.all([
        ...batch.flatMap(({ chunk, bytes, digest }) => [
          chunks.put(new Blob([bytes]), [this.#fid, chunk]),
          digests.put(digest, [this.#fid, chunk]),
        ]),
        transaction.done,
      ]);
    });
  }

  /**
   * The file as one Blob of the stored ones, or null if it is assembled already.
   * @param onProgress called with the fraction of completed steps: fetching a group of chunks is one, and so
   * is storing the file.
   */
  #gatherWhole(onProgress?: (progress: number) => void): Promise<Blob | null> {
    return this.#database.use(async (database) => {
      const transaction = database.transaction(["chunks", "files"]);
      const store = transaction.objectStore("chunks");
      const whole = await transaction.objectStore("files").get(this.#fid);
      if (whole && (await store.count(chunksOf(this.#fid))) === 0) return null;
      const { fileSize, chunkSize, mimeType } = this.#layout;
      const count = chunkCountOf(fileSize, chunkSize);
      const parts: Blob[] = [];
      for (let first = 0; first < count; first += gatherCount) {
        const indexes = Array.from(
          { length: Math.min(gatherCount, count - first) },
          (_, index) => first + index,
        );
        const stored = await Promise.all(indexes.map((chunk) => store.get([this.#fid, chunk])));
        stored.forEach((blob, index) => {
          const part = blob ?? this.#sliceOf(whole, first + index);
          if (!part) throw new WarrenError("storage-failed", { reason: `chunk ${first + index} is missing` });
          parts.push(part);
        });
        const steps = Math.ceil(count / gatherCount) + 1;
        onProgress?.((first / gatherCount + 1) / steps);
      }
      return new Blob(parts, { type: mimeType });
    });
  }

  #sliceOf(whole: Blob | undefined, chunk: number): Blob | null {
    const start = chunk * this.#layout.chunkSize;
    return whole && start < whole.size ? whole.slice(start, start + this.#layout.chunkSize) : null;
  }
}
