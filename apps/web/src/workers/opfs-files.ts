import type { Bytes, FileLayout, FileSink, FileStorage } from "@warren/core";
import { inOpfs, unlessMissing, whenUnlocked } from "./opfs-errors.ts";
import { type Ledger, readLedger } from "./opfs-ledger.ts";
import { OpfsSink } from "./opfs-sink.ts";

const dataSuffix = ".data";
const ledgerSuffix = ".ledger";
/** Not a valid file name: those end in a suffix. */
const probeName = "probe";

/**
 * Files in the origin private file system, each stored as two: its bytes with every chunk in place, and the
 * ledger of stored chunks. Only for dedicated workers, because only those have synchronous access handles.
 */
export class OpfsFiles implements Pick<FileStorage, "readDigests" | "openSink" | "readFile" | "remove"> {
  readonly #openFolder: () => Promise<FileSystemDirectoryHandle>;
  #folder: FileSystemDirectoryHandle;
  readonly #sinks = new Map<string, OpfsSink>();

  private constructor(
    folder: FileSystemDirectoryHandle,
    openFolder: () => Promise<FileSystemDirectoryHandle>,
  ) {
    this.#folder = folder;
    this.#openFolder = openFolder;
  }

  /**
   * Opens a folder by name.
   * @returns null if the browser has no such folders or does not allow writing.
   */
  static async open(name: string): Promise<OpfsFiles | null> {
    try {
      // Missing in older browsers and outside secure contexts, although the types declare it.
      const storage: StorageManager | undefined = navigator.storage;
      const root = await storage?.getDirectory();
      if (!root) return null;
      const openFolder = () => root.getDirectoryHandle(name, { create: true });
      const folder = await openFolder();
      await probe(folder);
      return new OpfsFiles(folder, openFolder);
    } catch {
      return null;
    }
  }

  /** The ids of all files, complete or not, and whether the bytes of each exist beside its ledger. */
  async listFiles(): Promise<Map<string, boolean>> {
    const names = new Set<string>();
    for await (const name of this.#folder.keys()) names.add(name);
    const files = new Map<string, boolean>();
    for (const name of names)
      for (const suffix of [dataSuffix, ledgerSuffix])
        if (name.endsWith(suffix)) {
          const fid = name.slice(0, -suffix.length);
          files.set(fid, names.has(fid + dataSuffix) && names.has(fid + ledgerSuffix));
        }
    return files;
  }

  /**
   * Whether a file with this id exists. Rejects if the folder was removed: Chromium clears it on a full disk.
   */
  has(fid: string): Promise<boolean> {
    return inOpfs(async () => {
      this.#folder = await this.#openFolder();
      return (await unlessMissing(() => this.#folder.getFileHandle(fid + ledgerSuffix))) !== null;
    });
  }

  async readDigests(fid: string): Promise<ReadonlyMap<number, Bytes>> {
    return (await this.#readLedger(fid)).digests;
  }

  openSink(fid: string, layout: FileLayout): Promise<FileSink> {
    return inOpfs(async () => {
      const data = await this.#openHandle(fid + dataSuffix);
      let ledger: FileSystemSyncAccessHandle | undefined;
      try {
        ledger = await this.#openHandle(fid + ledgerSuffix);
        const sink = new OpfsSink({ data, ledger }, layout, () => {
          if (this.#sinks.get(fid) === sink) this.#sinks.delete(fid);
        });
        this.#sinks.set(fid, sink);
        return sink;
      } catch (failure) {
        data.close();
        ledger?.close();
        throw failure;
      }
    });
  }

  readFile(fid: string, { fileSize, mimeType }: FileLayout): Promise<Blob | null> {
    return inOpfs(async () => {
      if (!(await this.#readLedger(fid)).whole) return null;
      const file = await this.#readable(fid + dataSuffix);
      return file && file.size >= fileSize ? file.slice(0, fileSize, mimeType) : null;
    });
  }

  remove(fid: string): Promise<void> {
    return inOpfs(async () => {
      await this.#sinks.get(fid)?.close();
      // The ledger first: bytes without a ledger are ignored.
      for (const suffix of [ledgerSuffix, dataSuffix])
        await unlessMissing(() => whenUnlocked(() => this.#folder.removeEntry(fid + suffix)));
    });
  }

  async #openHandle(name: string): Promise<FileSystemSyncAccessHandle> {
    const file = await this.#folder.getFileHandle(name, { create: true });
    return whenUnlocked(() => file.createSyncAccessHandle());
  }

  async #readLedger(fid: string): Promise<Ledger> {
    const file = await this.#readable(fid + ledgerSuffix);
    return readLedger(new Uint8Array(file ? await file.arrayBuffer() : new ArrayBuffer(0)));
  }

  #readable(name: string): Promise<File | null> {
    return unlessMissing(async () => (await this.#folder.getFileHandle(name)).getFile());
  }
}

/** Writes and reads a byte. Rejects if that does not work, as in some private windows. */
async function probe(folder: FileSystemDirectoryHandle): Promise<void> {
  const name = `${probeName}-${crypto.randomUUID()}`;
  const file = await folder.getFileHandle(name, { create: true });
  try {
    const handle = await file.createSyncAccessHandle();
    try {
      const byte = new Uint8Array([1]);
      handle.write(byte, { at: 0 });
      if (handle.read(byte, { at: 0 }) !== 1) throw new Error("what was written can not be read");
    } finally {
      handle.close();
    }
  } finally {
    await folder.removeEntry(name);
  }
}
