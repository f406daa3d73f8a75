import { chunkCountOf, type FileDescription } from "@warren/protocol";
import type { Bytes, FileSink } from "../ports/file-storage.ts";
import type { StallWatch } from "../shared/stall-watch.ts";
import { ChunkSet } from "./digests/chunk-set.ts";
import { digestOf, sameDigest } from "./digests/digests.ts";
import { bytesOfChunks } from "./file-layout.ts";

/** A slow disk. */
const flushedBytesPerMs = 10_000;

/** How long storage may be silent while it makes a file durable: a browser writes all of it to the disk in one call. */
export function finishMsOf(fileSizeBytes: number): number {
  return fileSizeBytes / flushedBytesPerMs;
}

/** A file's bytes, open for writing. */
export interface OpenedFile {
  readonly sink: FileSink;
  /** SHA-256 of the chunks stored earlier. */
  readonly digests: ReadonlyMap<number, Bytes>;
}

/** The exclusive right to receive a file, until `release` or `abandon` is called. */
export interface FileClaim {
  readonly description: FileDescription;
  /** Whether the stored bytes have matched their digests since the page loaded. */
  readonly storedChunksVerified: boolean;
  /** Opens the file's bytes in this page. Rejects with `storage-full` or `storage-failed`; the claim remains then. */
  open(): Promise<OpenedFile>;
  /** All chunks are stored; they are being merged. */
  startMerging(): void;
  /** Records that the file is whole. Rejects with `root-verification-failed`, `storage-failed` or `tree-invalid`. */
  complete(root: string): Promise<void>;
  /** Ends the claim; `storedChunksVerified` as above. */
  release(storedBytes: number, storedChunksVerified: boolean): void;
  /** Releases a file that could not be opened. */
  abandon(): void;
}

/**
 * A file being received: its bytes and the set of durable chunks. Both outlive the page: what is `stored` when a transfer
 * resumes, in this page or after a reload, is not requested again. After a reload stored chunks count only once they match their
 * digests, which is checked while the missing ones arrive ({@link findDamaged}); the file is not merged before. Incomplete
 * chunks are discarded.
 */
export class ReceivedFile {
  readonly description: FileDescription;
  /** The chunks that would survive a crash of the process. */
  readonly stored: ChunkSet;
  /** SHA-256 of every stored chunk. */
  readonly digests: Map<number, Bytes>;
  /** Chunks stored before the page loaded that are not yet compared with their digests. */
  readonly unchecked: Set<number>;
  /** Follows everything that the file waits for. */
  readonly watch: StallWatch;
  readonly #claim: FileClaim;
  readonly #sink: FileSink;
  #closing: Promise<void> | null = null;

  constructor(claim: FileClaim, { sink, digests }: OpenedFile, watch: StallWatch) {
    const { description, storedChunksVerified } = claim;
    this.#claim = claim;
    this.#sink = sink;
    this.watch = watch;
    this.description = description;
    this.digests = new Map(digests);
    this.stored = new ChunkSet(chunkCountOf(description.fileSize, description.chunkSize), digests.keys());
    this.unchecked = new Set(storedChunksVerified ? [] : digests.keys());
  }

  get storedBytes(): number {
    return bytesOfChunks(this.description, this.stored.count, this.stored.has(this.stored.size - 1));
  }

  /** Stores a verified chunk. Once this resolves, it is durable. */
  async write(chunk: number, bytes: Bytes, digest: Bytes): Promise<void> {
    await this.watch.follow("store", this.#sink.write(chunk, bytes, digest));
    this.digests.set(chunk, digest);
    this.stored.add(chunk);
  }

  /**
   * Compares each unchecked chunk with its digest, until the file is closed, and yields those that differ: they are missing
   * from then on.
   */
  async *findDamaged(): AsyncGenerator<number> {
    for (const chunk of [...this.unchecked]) {
      if (this.#closing !== null) return;
      if (!(await this.#isSound(chunk))) yield chunk;
    }
  }

  async #isSound(chunk: number): Promise<boolean> {
    const digest = this.digests.get(chunk);
    const bytes = await this.watch.follow("store", this.#sink.read(chunk));
    const sound =
      !!digest && !!bytes && sameDigest(await this.watch.follow("digest", digestOf(bytes)), digest);
    if (!sound) {
      this.stored.delete(chunk);
      this.digests.delete(chunk);
    }
    this.unchecked.delete(chunk);
    return sound;
  }

  /** Completes the file and stores its root. Call it only when every chunk is written. */
  async finish(root: string, onProgress: (progress: number) => void): Promise<void> {
    this.#claim.startMerging();
    this.watch.allow(finishMsOf(this.description.fileSize));
    const finishing = this.#sink.finish((progress) => {
      this.watch.noteProgress();
      onProgress(progress);
    });
    await this.watch.follow("store", finishing);
    await this.watch.follow("store", this.#claim.complete(root));
  }

  /**
   * Stores pending writes and releases the file; stored chunks remain for the next time. Rejects with `transfer-stalled` when
   * storage does not answer; the file is released then as well.
   */
  close(): Promise<void> {
    this.#closing ??= this.watch
      .within("store", this.#sink.close())
      .finally(() => this.#claim.release(this.storedBytes, this.unchecked.size === 0));
    return this.#closing;
  }
}
