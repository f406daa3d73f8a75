import { chunkCountOf, type FileDescription, WarrenError } from "@warren/protocol";
import type { Bytes } from "../ports/file-storage.ts";
import { holdUntil } from "../shared/hold.ts";
import { digestOf, rootOf } from "./digests/digests.ts";
import { chunkLengthOf, chunkStartOf } from "./file-layout.ts";

/** The bytes of a file for sending. One per file and page, shared by all its transfers. */
export interface FileSource {
  readonly sizeBytes: number;
  /** `page`: a file picked here; `storage`: one stored in this browser. */
  readonly location: "page" | "storage";
  /** The digest of the whole file (see `rootOf`) if it was verified before; null if it has to be computed. */
  readonly root: string | null;
  /** SHA-256 of the chunks read so far, filled in by readers; a chunk that differs later has changed. */
  readonly digests: Map<number, Bytes>;
  /** SHA-256 of the chunks sent before the page loaded; a chunk that differs has changed. */
  readonly earlier: ReadonlyMap<number, Bytes>;
  /** The file as a blob, for another thread to read; null if it is gone. */
  blob(): Promise<Blob | null>;
  /**
   * Reads from `start` up to, but not including, `end`.
   * Rejects with `source-changed` when the file has changed since it was offered, `source-missing` when it is gone.
   */
  read(start: number, end: number): Promise<Bytes>;
  /** Takes back the bytes of a read, which the caller does not use any more: the next read may overwrite them. */
  release(bytes: Bytes): void;
  /** Whether the file is known to have changed since it was offered. */
  changed(): boolean;
  /**
   * Registers a sender of the file, until the returned function is called. While there are several, the latest reads
   * are kept, so senders at the same position share one read.
   */
  join(): () => void;
}

/**
 * How many released buffers are kept to read into: one is read while another is sent. New memory costs more time than the
 * bytes copied into it.
 */
const spareBuffers = 3;

/** How many reads are kept while several transfers send a file: 8 MiB with slices of 4 MiB. */
const sharedReads = 2;

export interface FileSourceDeps
  extends Pick<FileSource, "sizeBytes" | "location" | "root">,
    Partial<Pick<FileSource, "earlier">> {
  /** Called when the bytes are first requested. */
  readonly open: () => Promise<Blob | null>;
}

/** A source for a file picked on this page. Browsers refuse to read a file that has changed on disk since. */
export function blobSource(blob: Blob, earlier: FileSource["earlier"] = new Map()): FileSource {
  const parts = {
    sizeBytes: blob.size,
    location: "page",
    root: null,
    earlier,
    open: async () => blob,
  } as const;
  return new BlobSource(parts, blob);
}

/** A source for a file that is opened on the first read. */
export function lazySource(parts: FileSourceDeps): FileSource {
  return new BlobSource(parts);
}

class BlobSource implements FileSource {
  readonly sizeBytes: number;
  readonly location: "page" | "storage";
  readonly root: string | null;
  readonly digests = new Map<number, Bytes>();
  readonly earlier: ReadonlyMap<number, Bytes>;
  readonly #open: () => Promise<Blob | null>;
  /** The latest reads by position, the most recent last. */
  readonly #recent = new Map<string, Promise<Bytes>>();
  readonly #spare: ArrayBuffer[] = [];
  /** Buffers that several senders may have got. */
  readonly #shared = new WeakSet<ArrayBuffer>();
  #senders = 0;
  #opening: Promise<Blob | null> | null = null;
  #offered: { readonly blob: Blob; readonly size: number; readonly lastModified: number } | null = null;

  constructor({ sizeBytes, location, root, open, earlier = new Map() }: FileSourceDeps, blob?: Blob) {
    this.sizeBytes = sizeBytes;
    this.location = location;
    this.root = root;
    this.earlier = earlier;
    this.#open = open;
    if (blob) this.#offered = { blob, ...describe(blob) };
  }

  blob(): Promise<Blob | null> {
    this.#opening ??= this.#open().then(
      (blob) => {
        if (blob) this.#offered ??= { blob, ...describe(blob) };
        return blob;
      },
      (error: unknown) => {
        // The next one tries again.
        this.#opening = null;
        throw error;
      },
    );
    return this.#opening;
  }

  join(): () => void {
    this.#senders++;
    let isJoined = true;
    return () => {
      if (!isJoined) return;
      isJoined = false;
      this.#senders--;
      if (this.#senders < 2) this.#recent.clear();
      if (this.#senders === 0) this.#spare.length = 0;
    };
  }

  read(start: number, end: number): Promise<Bytes> {
    if (this.#senders < 2) return this.#read(start, end);
    const key = `${start}-${end}`;
    const reading = this.#recent.get(key) ?? this.#read(start, end);
    this.#recent.delete(key);
    this.#recent.set(key, reading);
    reading.then(
      ({ buffer }) => this.#shared.add(buffer),
      () => this.#recent.delete(key),
    );
    for (const oldest of this.#recent.keys())
      if (this.#recent.size > sharedReads) this.#recent.delete(oldest);
    return reading;
  }

  release({ buffer }: Bytes): void {
    if (this.#senders === 0 || this.#shared.has(buffer)) return;
    this.#spare.push(buffer);
    this.#spare.sort((a, b) => b.byteLength - a.byteLength).splice(spareBuffers);
  }

  async #read(start: number, end: number): Promise<Bytes> {
    const blob = this.#offered?.blob ?? (await this.blob());
    if (!blob) throw new WarrenError("source-missing");
    if (this.changed()) throw new WarrenError("source-changed");
    const changed = this.location === "page" ? "source-changed" : "source-missing";
    const slice = blob.slice(start, end);
    const bytes = await this.#readSlice(slice).catch(async (cause: unknown) => {
      throw new WarrenError((await isGone(slice)) ? "source-missing" : changed, {}, { cause });
    });
    if (bytes.byteLength !== end - start) throw new WarrenError(changed);
    return bytes;
  }

  /** Reads into a released buffer that is large enough, if the browser can. */
  async #readSlice(slice: Blob): Promise<Bytes> {
    const [largest] = this.#spare;
    const reader = largest && largest.byteLength >= slice.size ? byteReader(slice) : null;
    if (!reader) return new Uint8Array(await slice.arrayBuffer());
    return holdUntil(
      readInto(this.#spare.shift() ?? new ArrayBuffer(slice.size), reader, slice.size),
      reader,
    );
  }

  changed(): boolean {
    if (!this.#offered) return false;
    const { blob, size, lastModified } = this.#offered;
    const now = describe(blob);
    return now.size !== size || now.lastModified !== lastModified;
  }
}

/** Whether what could not be read was deleted. A stream does not say why it ends, so it is read again without one. */
async function isGone(slice: Blob): Promise<boolean> {
  try {
    await slice.arrayBuffer();
    return false;
  } catch (failure) {
    return failure instanceof DOMException && failure.name === "NotFoundError";
  }
}

/** Reads `size` bytes, or fewer if there are not that many, into the buffer's memory, which the result takes over. */
async function readInto(memory: ArrayBuffer, reader: ReadableStreamBYOBReader, size: number): Promise<Bytes> {
  let buffer = memory;
  let filled = 0;
  while (filled < size) {
    const { value, done } = await reader.read(new Uint8Array(buffer, filled, size - filled));
    if (done) break;
    ({ buffer } = value);
    filled += value.byteLength;
  }
  void reader.cancel().catch(() => {});
  return new Uint8Array(buffer, 0, filled);
}

/** Null in older browsers, where a blob is not a stream of bytes. */
function byteReader(blob: Blob): ReadableStreamBYOBReader | null {
  try {
    return blob.stream().getReader({ mode: "byob" });
  } catch {
    return null;
  }
}

function describe(blob: Blob): { size: number; lastModified: number } {
  return { size: blob.size, lastModified: blob instanceof File ? blob.lastModified : 0 };
}

/**
 * The root of an available file: the verified one, or computed by reading the chunks that were not read yet.
 * @returns null once `isWanted` returns false. Rejects like the source.
 */
export async function rootOfSource(
  description: FileDescription,
  source: FileSource,
  isWanted: () => boolean,
): Promise<string | null> {
  if (source.root !== null) return source.root;
  const leaves: Bytes[] = [];
  const count = chunkCountOf(description.fileSize, description.chunkSize);
  for (let chunk = 0; chunk < count; chunk++) {
    if (!isWanted()) return null;
    const start = chunkStartOf(description, chunk);
    const leaf =
      source.digests.get(chunk) ??
      (await digestOf(await source.read(start, start + chunkLengthOf(description, chunk))));
    source.digests.set(chunk, leaf);
    leaves.push(leaf);
  }
  return rootOf(description, leaves);
}
