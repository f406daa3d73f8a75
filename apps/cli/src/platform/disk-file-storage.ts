import { openAsBlob } from "node:fs";
import { type FileHandle, mkdir, open, readdir, readFile, rm, rmdir, stat, statfs } from "node:fs/promises";
import { join } from "node:path";
import { deserialize, serialize } from "node:v8";
import type { Bytes, FileLayout, FileSink, FileStorage, ListedRecord } from "@warren/core";
import { chunkCountOf, WarrenError } from "@warren/protocol";
import { writeAtomically } from "./atomic-file.ts";
import { nullIfMissing, storageErrorOf, systemCodeOf } from "./disk-error.ts";
import { exists } from "./exists.ts";

/** The files in the folder of a received file. */
const names = {
  record: "record",
  /** The bytes, each chunk at its place. */
  bytes: "bytes",
  /** The number and digest of each chunk in `bytes`, in the order of their arrival. */
  digests: "digests",
  /** Exists once the file is complete. */
  whole: "whole",
  /** Exists once the file is being put where it belongs; see `Placements`. */
  placements: "placements",
} as const;

const digestBytes = 32;
const entryBytes = 4 + digestBytes;
const fidPattern = /^[A-Za-z0-9_-]{8,64}$/;

/** Its capitals are marked: many disks take `a` and `A` for one name, so that one file could be written into another. */
function folderNameOf(fid: string): string {
  return fid.replace(/[A-Z]/g, (capital) => `+${capital.toLowerCase()}`);
}

/** Null for a folder of something else. */
function fidIn(folderName: string): string | null {
  const fid = folderName.replace(/\+([a-z])/g, (_, letter: string) => letter.toUpperCase());
  return fidPattern.test(fid) && folderNameOf(fid) === folderName ? fid : null;
}

/** Is told that the bytes of a file up to `end` are at `path`, all of which were stored in this run, and verified before. */
type StoredListener = (fid: string, path: string, end: number) => void;

/**
 * Files in a folder of the disk, one folder a file. A chunk counts once its digest is written, after its bytes, so that a
 * crash loses at most the chunks that were being written. One process may use it at a time.
 */
export class DiskFileStorage implements FileStorage {
  readonly kind = "disk";
  readonly #root: string;
  readonly #onStored: StoredListener;
  /** The chunks of each file that were written in this run. Those of others may have been damaged by a crash since. */
  readonly #written = new Map<string, Set<number>>();

  constructor(root: string, onStored: StoredListener = () => {}) {
    this.#root = root;
    this.#onStored = onStored;
  }

  /** Where the bytes of a file are. */
  bytesOf(fid: string): string {
    return this.#at(fid, names.bytes);
  }

  /** A folder beside the bytes of a file, for what is made of them. */
  workFolderOf(fid: string): string {
    return this.#at(fid, "made");
  }

  /** Where it is noted which names a complete file got. */
  placementsOf(fid: string): string {
    return this.#at(fid, names.placements);
  }

  listRecords(): Promise<ListedRecord[]> {
    return reported(async () => {
      const found = await readdir(this.#root).catch(emptyIfMissing);
      const fids = found.map(fidIn).filter((fid) => fid !== null);
      const listed = await Promise.all(fids.map((fid) => this.#listedAt(fid)));
      // What a run that was killed did not remove to the end.
      for (const [index, fid] of fids.entries()) if (listed[index] === null) await this.#delete(fid);
      return listed.filter((record) => record !== null);
    });
  }

  writeRecord(fid: string, record: unknown): Promise<void> {
    return reported(async () => {
      await mkdir(this.#at(fid), { recursive: true, mode: 0o700 });
      writeAtomically(this.#at(fid, names.record), serialize(record));
    });
  }

  readDigests(fid: string): Promise<ReadonlyMap<number, Bytes>> {
    return reported(async () => {
      const stored = await readFile(this.#at(fid, names.digests)).catch(nullIfMissing);
      const digests = new Map<number, Bytes>();
      for (let at = 0; stored && at + entryBytes <= stored.length; at += entryBytes) {
        const chunk = stored.readUInt32BE(at) - 1;
        // A hole that a crash left between two entries.
        if (chunk < 0) continue;
        digests.set(chunk, new Uint8Array(stored.subarray(at + 4, at + entryBytes)));
      }
      return digests;
    });
  }

  openSink(fid: string, layout: FileLayout): Promise<FileSink> {
    return reported(async () => {
      await mkdir(this.#at(fid), { recursive: true, mode: 0o700 });
      const digests = await this.readDigests(fid);
      const bytes = await openToWrite(this.#at(fid, names.bytes));
      const journal = await openToWrite(this.#at(fid, names.digests)).catch(async (thrown: unknown) => {
        await bytes.close();
        throw thrown;
      });
      const whole = this.#at(fid, names.whole);
      const onStored = (end: number) => this.#onStored(fid, this.bytesOf(fid), end);
      const written = this.#written.get(fid) ?? new Set();
      this.#written.set(fid, written);
      const stored = new Set(digests.keys());
      return new DiskFileSink({ layout, bytes, journal, whole, stored, written, onStored });
    });
  }

  readFile(fid: string, { fileSize, mimeType }: FileLayout): Promise<Blob | null> {
    return reported(async () => {
      if (!(await exists(this.#at(fid, names.whole)))) return null;
      const path = this.#at(fid, names.bytes);
      const size = await stat(path).then(({ size }) => size, nullIfMissing);
      return size === fileSize ? openAsBlob(path, { type: mimeType }) : null;
    });
  }

  remove(fid: string): Promise<void> {
    this.#written.delete(fid);
    return reported(async () => {
      // The record first: what is left of a file without one is deleted at the next start.
      await rm(this.#at(fid, names.record), { force: true });
      await this.#delete(fid);
    });
  }

  async freeBytes(): Promise<number | null> {
    try {
      await mkdir(this.#root, { recursive: true, mode: 0o700 });
      const { bavail, bsize } = await statfs(this.#root);
      return bavail * bsize;
    } catch {
      return null;
    }
  }

  close(): void {}

  #at(fid: string, name = ""): string {
    return join(this.#root, folderNameOf(fid), name);
  }

  async #delete(fid: string): Promise<void> {
    await rm(this.#at(fid), { recursive: true, force: true });
    await rmdir(this.#root).catch(() => {}); // unless there are others
  }

  async #listedAt(fid: string): Promise<ListedRecord | null> {
    const stored = await readFile(this.#at(fid, names.record)).catch(nullIfMissing);
    if (stored === null) return null;
    // Bytes that were put where they belong are no loss.
    const hasBytes = (await exists(this.bytesOf(fid))) || (await exists(this.placementsOf(fid)));
    return { fid, record: recordIn(stored), hasBytes };
  }
}

interface SinkParts {
  readonly layout: FileLayout;
  readonly bytes: FileHandle;
  readonly journal: FileHandle;
  readonly whole: string;
  /** The chunks in storage. */
  readonly stored: Set<number>;
  /** Those of them that were written in this run. */
  readonly written: Set<number>;
  /** Is told where the bytes end that were written in this run without a gap. */
  readonly onStored: (end: number) => void;
}

class DiskFileSink implements FileSink {
  readonly #parts: SinkParts;
  readonly #writing = new Set<Promise<void>>();
  #journalEndsAt: Promise<number>;
  #closing: Promise<void> | null = null;
  /** The first chunk that was not written in this run. */
  #missing = 0;

  constructor(parts: SinkParts) {
    this.#parts = parts;
    this.#journalEndsAt = parts.journal.stat().then(({ size }) => size - (size % entryBytes));
    this.#journalEndsAt.catch(() => {}); // the next write reports it
  }

  read(chunk: number): Promise<Bytes | null> {
    return reported(async () => {
      const { layout, bytes, stored } = this.#parts;
      if (!stored.has(chunk)) return null;
      const start = chunk * layout.chunkSize;
      const target = new Uint8Array(Math.min(layout.chunkSize, layout.fileSize - start));
      const { bytesRead } = await bytes.read(target, 0, target.length, start);
      return target.subarray(0, bytesRead);
    });
  }

  write(chunk: number, bytes: Bytes, digest: Bytes): Promise<void> {
    const writing = reported(() => this.#write(chunk, bytes, digest)).finally(() =>
      this.#writing.delete(writing),
    );
    this.#writing.add(writing);
    return writing;
  }

  finish(onProgress?: (progress: number) => void): Promise<void> {
    return reported(async () => {
      await Promise.allSettled(this.#writing);
      const { layout, bytes, stored, whole } = this.#parts;
      const missing = chunkCountOf(layout.fileSize, layout.chunkSize) - stored.size;
      if (missing > 0) throw new WarrenError("storage-failed", { reason: `${missing} chunks are missing` });
      onProgress?.(0);
      await bytes.datasync();
      writeAtomically(whole, "");
      onProgress?.(1);
    });
  }

  close(): Promise<void> {
    this.#closing ??= reported(async () => {
      await Promise.allSettled(this.#writing);
      await Promise.all([this.#parts.bytes.close(), this.#parts.journal.close()]);
    });
    return this.#closing;
  }

  async #write(chunk: number, content: Bytes, digest: Bytes): Promise<void> {
    const { layout, bytes, journal, stored, written } = this.#parts;
    await writeAll(bytes, content, chunk * layout.chunkSize);
    const entry = Buffer.alloc(entryBytes);
    entry.writeUInt32BE(chunk + 1);
    entry.set(digest, 4);
    const at = this.#journalEndsAt;
    this.#journalEndsAt = at.then((end) => end + entryBytes);
    await writeAll(journal, entry, await at);
    stored.add(chunk);
    written.add(chunk);
    this.#noteWritten();
  }

  #noteWritten(): void {
    const { written, layout, onStored } = this.#parts;
    const before = this.#missing;
    while (written.has(this.#missing)) this.#missing++;
    if (this.#missing > before) onStored(Math.min(this.#missing * layout.chunkSize, layout.fileSize));
  }
}

/** A write to a disk that becomes full may store a part, without an error. */
async function writeAll(file: FileHandle, content: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < content.length; ) {
    const { bytesWritten } = await file.write(content, done, content.length - done, position + done);
    done += bytesWritten;
  }
}

async function openToWrite(path: string): Promise<FileHandle> {
  return open(path, "r+").catch((thrown: unknown) => {
    if (systemCodeOf(thrown) === "ENOENT") return open(path, "wx+", 0o600);
    throw thrown;
  });
}

/** Core deletes a record that it cannot read. */
function recordIn(stored: Buffer): unknown {
  try {
    return deserialize(stored);
  } catch {
    return null;
  }
}

function emptyIfMissing(thrown: unknown): string[] {
  nullIfMissing(thrown);
  return [];
}

/** The result, or the error as storage reports it. */
async function reported<T>(action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (thrown) {
    throw storageErrorOf(thrown);
  }
}
