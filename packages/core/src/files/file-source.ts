import { WarrenError } from "@warren/protocol";
import type { Bytes } from "../ports/file-storage.ts";

/** A file's bytes for sending. One per file and page, shared by all who send it. */
export interface FileSource {
  readonly sizeBytes: number;
  /** `page`: a file picked here; `storage`: one kept in this browser. */
  readonly place: "page" | "storage";
  /** The digest over the whole file (see `rootOf`) where it was verified before; null where it is still to be made. */
  readonly root: string | null;
  /** SHA-256 of the chunks read so far; who reads a chunk fills it in, and a chunk that differs later has changed. */
  readonly digests: Map<number, Bytes>;
  /** SHA-256 of chunks that were sent before the page loaded; a chunk that differs from its own has changed. */
  readonly earlier: ReadonlyMap<number, Bytes>;
  /** The file as the platform holds it, for another thread to read; null where it is gone. */
  blob(): Promise<Blob | null>;
  /**
   * Reads `start` to `end`, the end not included.
   * Rejects with `source-changed` when the file is no longer what was offered, `source-missing` when it is gone.
   */
  read(start: number, end: number): Promise<Bytes>;
  /** Whether the file is known to be another than was offered. */
  changed(): boolean;
  /**
   * Tells that someone sends it, until what this gives is called. While several do, what was read last is kept for the others,
   * so those who run level share one read.
   */
  join(): () => void;
}

/** The reads kept while several send a file: with slices of 4 MiB they are 8 MiB. */
const sharedReads = 2;

/** What a {@link FileSource} is made of. */
export interface FileSourceParts
  extends Pick<FileSource, "sizeBytes" | "place" | "root">,
    Partial<Pick<FileSource, "earlier">> {
  /** Called when the bytes are first asked for. */
  readonly open: () => Promise<Blob | null>;
}

/** A source over a file picked on this page. A browser refuses to read one that changed on the disk since. */
export function blobSource(blob: Blob, earlier: FileSource["earlier"] = new Map()): FileSource {
  const parts = { sizeBytes: blob.size, place: "page", root: null, earlier, open: async () => blob } as const;
  return new BlobSource(parts, blob);
}

/** A source over a file that is opened when it is first read. */
export function lazySource(parts: FileSourceParts): FileSource {
  return new BlobSource(parts);
}

class BlobSource implements FileSource {
  readonly sizeBytes: number;
  readonly place: "page" | "storage";
  readonly root: string | null;
  readonly digests = new Map<number, Bytes>();
  readonly earlier: ReadonlyMap<number, Bytes>;
  readonly #open: () => Promise<Blob | null>;
  /** What was read last, by its place, the latest at the end. */
  readonly #recent = new Map<string, Promise<Bytes>>();
  #senders = 0;
  #opening: Promise<Blob | null> | null = null;
  #offered: { readonly blob: Blob; readonly size: number; readonly lastModified: number } | null = null;

  constructor({ sizeBytes, place, root, open, earlier = new Map() }: FileSourceParts, blob?: Blob) {
    this.sizeBytes = sizeBytes;
    this.place = place;
    this.root = root;
    this.earlier = earlier;
    this.#open = open;
    if (blob) this.#offered = { blob, ...describe(blob) };
  }

  blob(): Promise<Blob | null> {
    this.#opening ??= this.#open().then((blob) => {
      if (blob) this.#offered ??= { blob, ...describe(blob) };
      return blob;
    });
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
    };
  }

  read(start: number, end: number): Promise<Bytes> {
    if (this.#senders < 2) return this.#read(start, end);
    const key = `${start}-${end}`;
    const reading = this.#recent.get(key) ?? this.#read(start, end);
    this.#recent.delete(key);
    this.#recent.set(key, reading);
    reading.catch(() => this.#recent.delete(key));
    for (const oldest of this.#recent.keys())
      if (this.#recent.size > sharedReads) this.#recent.delete(oldest);
    return reading;
  }

  async #read(start: number, end: number): Promise<Bytes> {
    const blob = this.#offered?.blob ?? (await this.blob());
    if (!blob) throw new WarrenError("source-missing");
    if (this.changed()) throw new WarrenError("source-changed");
    return readSlice(blob, start, end, this.place === "page" ? "source-changed" : "source-missing");
  }

  changed(): boolean {
    if (!this.#offered) return false;
    const { blob, size, lastModified } = this.#offered;
    const now = describe(blob);
    return now.size !== size || now.lastModified !== lastModified;
  }
}

async function readSlice(
  blob: Blob,
  start: number,
  end: number,
  failure: "source-changed" | "source-missing",
): Promise<Bytes> {
  let buffer: ArrayBuffer;
  try {
    buffer = await blob.slice(start, end).arrayBuffer();
  } catch (cause) {
    throw new WarrenError(failure, {}, { cause });
  }
  if (buffer.byteLength !== end - start) throw new WarrenError(failure);
  return new Uint8Array(buffer);
}

function describe(blob: Blob): { size: number; lastModified: number } {
  return { size: blob.size, lastModified: blob instanceof File ? blob.lastModified : 0 };
}
