import type { Bytes, FileLayout, FileSink, FileStorage, ListedRecord } from "@warren/core";
import { chunkCountOf, WarrenError } from "@warren/protocol";

/** The most bytes of files held in memory; the text `startup.memoryOnlyLine` states it. */
const memoryLimitBytes = 256 * 1024 * 1024;

interface HeldFile {
  /** Empty once the file is complete. */
  readonly chunks: Map<number, Bytes>;
  readonly digests: Map<number, Bytes>;
  whole: Blob | null;
}

/** Files in memory, for browsers without databases. */
export class MemoryFileStorage implements FileStorage {
  readonly kind = "memory";
  readonly #limitBytes: number;
  readonly #records = new Map<string, unknown>();
  readonly #files = new Map<string, HeldFile>();

  constructor(limitBytes = memoryLimitBytes) {
    this.#limitBytes = limitBytes;
  }

  async listRecords(): Promise<ListedRecord[]> {
    return Array.from(this.#records, ([fid, record]) => ({
      fid,
      record: structuredClone(record),
      hasBytes: this.#files.has(fid),
    }));
  }

  async writeRecord(fid: string, record: unknown): Promise<void> {
    this.#records.set(fid, structuredClone(record));
  }

  async readDigests(fid: string): Promise<ReadonlyMap<number, Bytes>> {
    return new Map(this.#files.get(fid)?.digests);
  }

  async openSink(fid: string, { fileSize, chunkSize, mimeType }: FileLayout): Promise<FileSink> {
    const file: HeldFile = this.#files.get(fid) ?? { chunks: new Map(), digests: new Map(), whole: null };
    this.#files.set(fid, file);
    return {
      async read(chunk) {
        const held = file.chunks.get(chunk);
        if (held || !file.whole) return held?.slice() ?? null;
        const part = file.whole.slice(chunk * chunkSize, (chunk + 1) * chunkSize);
        return new Uint8Array(await part.arrayBuffer());
      },
      write: async (chunk, bytes, digest) => {
        const before = file.chunks.get(chunk)?.byteLength ?? 0;
        if (this.#heldBytes() - before + bytes.byteLength > this.#limitBytes) {
          throw new WarrenError("storage-full");
        }
        file.chunks.set(chunk, bytes);
        file.digests.set(chunk, digest);
      },
      async finish(onProgress) {
        if (file.whole && file.chunks.size === 0) return;
        const parts = Array.from({ length: chunkCountOf(fileSize, chunkSize) }, (_, chunk) => {
          const part =
            file.chunks.get(chunk) ?? file.whole?.slice(chunk * chunkSize, (chunk + 1) * chunkSize);
          if (!part) throw new WarrenError("storage-failed", { reason: `chunk ${chunk} is missing` });
          return part;
        });
        file.whole = new Blob(parts, { type: mimeType });
        file.chunks.clear();
        onProgress?.(1);
      },
      async close() {},
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
    return Math.max(0, this.#limitBytes - this.#heldBytes());
  }

  close(): void {}

  #heldBytes(): number {
    let heldBytes = 0;
    for (const { chunks, whole } of this.#files.values()) {
      heldBytes += whole?.size ?? 0;
      for (const { byteLength } of chunks.values()) heldBytes += byteLength;
    }
    return heldBytes;
  }
}
