import type { Bytes, FileLayout, FileSink, FileStorage, ListedRecord } from "@warren/core";
import { WarrenError } from "@warren/protocol";
import type { WorkerFiles } from "./worker-files.ts";

/**
 * Files in the origin's private file system, kept by a worker. Records stay in `older`, and so do files that were started
 * there by an earlier version or while the file system failed; without such a file system, everything does.
 */
export class OpfsFileStorage implements FileStorage {
  readonly #files: WorkerFiles;
  readonly #older: FileStorage;
  readonly #onClose: () => void;
  readonly #ask: () => Promise<boolean>;
  #answer: Promise<boolean> | null = null;
  #isSupported = false;
  /**
   * The worker did not start, or its file system is gone: Chromium clears that when it meets a full disk, and does not
   * open it again until it is restarted. Its contents are unknown.
   */
  #isBroken = false;

  /** @param ask asks the worker whether it can keep files, at the first use; rejects if it does not start */
  constructor(files: WorkerFiles, ask: () => Promise<boolean>, older: FileStorage, onClose: () => void) {
    this.#files = files;
    this.#ask = ask;
    this.#older = older;
    this.#onClose = onClose;
  }

  get kind(): FileStorage["kind"] {
    return this.#isSupported && !this.#isBroken ? "opfs" : this.#older.kind;
  }

  /** Whether a file's bytes are, or will be, where only the worker reaches them. */
  async isInWorker(fid: string): Promise<boolean> {
    if (!(await this.#supported) || this.#isBroken || (await this.#isInOlder(fid))) return false;
    try {
      await this.#files.call("has", { fid });
    } catch {
      this.#isBroken = true;
    }
    return !this.#isBroken;
  }

  async listRecords(): Promise<ListedRecord[]> {
    // First the files listed here: a file that another page starts meanwhile has its record before its bytes.
    const listed = (await this.#supported)
      ? await this.#files.call("listFiles", {}).catch(() => null)
      : new Map<string, boolean>();
    const records = await this.#older.listRecords();
    if (listed === null || this.#isBroken) return records.map((record) => ({ ...record, hasBytes: true }));
    const known = new Set(records.map(({ fid }) => fid));
    // Left by a page that closed while removing it. The next load retries.
    for (const fid of listed.keys()) if (!known.has(fid)) this.#files.call("remove", { fid }).catch(() => {});
    return records.map((record) => ({
      ...record,
      hasBytes: record.hasBytes || listed.get(record.fid) === true,
    }));
  }

  writeRecord(fid: string, record: unknown): Promise<void> {
    return this.#older.writeRecord(fid, record);
  }

  async readDigests(fid: string): Promise<ReadonlyMap<number, Bytes>> {
    return (await this.isInWorker(fid))
      ? this.#files.call("readDigests", { fid })
      : this.#older.readDigests(fid);
  }

  async openSink(fid: string, layout: FileLayout): Promise<FileSink> {
    if (!(await this.isInWorker(fid))) return this.#older.openSink(fid, layout);
    const sink = await this.#files.call("openSink", { fid, layout: sizesOf(layout) });
    let closing: Promise<void> | null = null;
    return {
      read: (chunk) => this.#files.call("read", { sink, chunk }),
      write: (chunk, bytes, digest) => {
        const isOwn = bytes.byteLength === bytes.buffer.byteLength;
        return this.#files.call("write", { sink, chunk, bytes, digest }, isOwn ? [bytes.buffer] : []);
      },
      finish: async (onProgress) => {
        await this.#files.call("finish", { sink });
        onProgress?.(1);
      },
      close: () => {
        closing ??= this.#files.call("close", { sink });
        return closing;
      },
    };
  }

  async readFile(fid: string, layout: FileLayout): Promise<Blob | null> {
    if (await this.isInWorker(fid)) return this.#files.call("readFile", { fid, layout: sizesOf(layout) });
    const older = await this.#older.readFile(fid, layout);
    if (older === null && this.#isBroken) throw new WarrenError("storage-failed", { reason: "unavailable" });
    return older;
  }

  async remove(fid: string): Promise<void> {
    // The record first: bytes without one are found and removed at the next load.
    await this.#older.remove(fid);
    if (await this.#supported) await this.#files.call("remove", { fid });
  }

  freeBytes(): Promise<number | null> {
    return this.#older.freeBytes();
  }

  close(): void {
    this.#older.close();
    this.#onClose();
  }

  get #supported(): Promise<boolean> {
    this.#answer ??= this.#ask()
      .catch(() => {
        this.#isBroken = true;
        return false;
      })
      .then((isSupported) => {
        this.#isSupported = isSupported;
        return isSupported;
      });
    return this.#answer;
  }

  async #isInOlder(fid: string): Promise<boolean> {
    return (await this.#older.readDigests(fid)).size > 0;
  }
}

/** The fields sent to the worker: layouts are often descriptions, which contain names. */
function sizesOf({ fileSize, chunkSize, mimeType }: FileLayout): FileLayout {
  return { fileSize, chunkSize, mimeType };
}
