import { chunkCountOf, type FileDescription } from "@warren/protocol";
import type { Bytes, FileSink } from "../ports/file-storage.ts";
import { ChunkSet } from "./chunk-set.ts";
import { digestOf, sameDigest } from "./digests.ts";
import { bytesOfChunks } from "./file-layout.ts";

/** What whoever receives a file tells the library that keeps it. */
export interface FileKeeper {
  readonly description: FileDescription;
  /** Whether the stored bytes were already found to match their digests since the page loaded. */
  readonly trusted: boolean;
  readonly onFinishing: () => void;
  /** Called once the bytes are whole, to keep that for good. */
  readonly onFinished: (root: string) => Promise<void>;
  /** Called once when the file is let go; `trusted` as above. */
  readonly onClosed: (storedBytes: number, trusted: boolean) => void;
}

/** A file's bytes, open for writing. */
export interface OpenedFile {
  readonly sink: FileSink;
  /** SHA-256 of the chunks stored earlier. */
  readonly digests: ReadonlyMap<number, Bytes>;
}

/** The sole right to receive a file, until `onClosed` or `abandon` is called. */
export interface FileClaim extends FileKeeper {
  /** Opens the file's bytes in this page. Rejects with `storage-full` or `storage-failed`, and then still holds the file. */
  open(): Promise<OpenedFile>;
  /** Lets go of a file that could not be opened. */
  abandon(): void;
}

/** What {@link ReceivedFile} is made of. */
export interface ReceivedFileParts extends FileKeeper, OpenedFile {}

/** A file on its way in: its bytes and the ledger of what of them is durable. */
export class ReceivedFile {
  readonly description: FileDescription;
  /** The chunks that would survive the process being killed. */
  readonly stored: ChunkSet;
  /** SHA-256 of every stored chunk. */
  readonly digests: Map<number, Bytes>;
  /** Chunks stored before the page loaded, whose bytes are still to be compared with their digest. */
  readonly unchecked: Set<number>;
  readonly #parts: ReceivedFileParts;
  #closing: Promise<void> | null = null;

  constructor(parts: ReceivedFileParts) {
    const { description, digests } = parts;
    this.#parts = parts;
    this.description = description;
    this.digests = new Map(digests);
    this.stored = new ChunkSet(chunkCountOf(description.fileSize, description.chunkSize), digests.keys());
    this.unchecked = new Set(parts.trusted ? [] : digests.keys());
  }

  get storedBytes(): number {
    return bytesOfChunks(this.description, this.stored.count, this.stored.has(this.stored.size - 1));
  }

  /** Stores a verified chunk. It is in the ledger once this resolves. */
  async write(chunk: number, bytes: Bytes, digest: Bytes): Promise<void> {
    await this.#parts.sink.write(chunk, bytes, digest);
    this.digests.set(chunk, digest);
    this.stored.add(chunk);
  }

  /** Compares a stored chunk's bytes with its digest; one that differs leaves the ledger. @returns whether it stays. */
  async check(chunk: number): Promise<boolean> {
    const digest = this.digests.get(chunk);
    const bytes = await this.#parts.sink.read(chunk);
    const sound = !!digest && !!bytes && sameDigest(await digestOf(bytes), digest);
    if (!sound) {
      this.stored.delete(chunk);
      this.digests.delete(chunk);
    }
    this.unchecked.delete(chunk);
    return sound;
  }

  /** Makes the file whole and keeps its root. Only for a file whose every chunk was written. */
  async finish(root: string, onProgress: (share: number) => void): Promise<void> {
    this.#parts.onFinishing();
    await this.#parts.sink.finish(onProgress);
    await this.#parts.onFinished(root);
  }

  /** Stores what is still on its way to storage and lets the file go; what is stored stays for the next time. */
  close(): Promise<void> {
    this.#closing ??= this.#parts.sink
      .close()
      .finally(() => this.#parts.onClosed(this.storedBytes, this.unchecked.size === 0));
    return this.#closing;
  }
}
