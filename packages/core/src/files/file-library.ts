import {
  type ClientId,
  type FileDescription,
  type FileId,
  fileIdSchema,
  type TreeSummary,
  WarrenError,
} from "@warren/protocol";
import type { Clock } from "../ports/clock.ts";
import type { FileReopener } from "../ports/file-reopener.ts";
import type { FileSink, FileStorage } from "../ports/file-storage.ts";
import { type Log, silentLog } from "../shared/log.ts";
import { createStore, type ReadableStore, type WritableStore } from "../shared/store.ts";
import { describeFile } from "./describe-file.ts";
import { sameLayout } from "./file-layout.ts";
import { parseFileRecord, type StoredRecord } from "./file-record.ts";
import type { FileSource } from "./file-source.ts";
import { OfferedFiles } from "./offered-files.ts";
import type { FileClaim } from "./received-file.ts";
import { ensureSpace } from "./space.ts";
import {
  checkStoredTree,
  type LibraryState,
  readStored,
  recordOf,
  type StoredFile,
  storedBytesOf,
  storedFileOf,
  storedSourceOf,
} from "./stored-file.ts";

/** What a {@link FileLibrary} stands on. */
export interface FileLibraryParts {
  readonly storage: FileStorage;
  readonly clock: Clock;
  readonly log?: Log;
  readonly reopener?: FileReopener | undefined;
  /** Whether small files are copied into storage when they are offered; never when absent. */
  readonly keepsCopies?: () => boolean;
}

/** The files of this browser: those picked on this page and those in storage. The only writer of both. */
export class FileLibrary {
  readonly store: ReadableStore<LibraryState>;
  /** Those picked for sending. */
  readonly offered: OfferedFiles;
  readonly #files: WritableStore<LibraryState> = createStore<LibraryState>({});
  readonly #storage: FileStorage;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #records = new Map<FileId, StoredRecord>();
  readonly #sources = new Map<FileId, FileSource>();
  /** Files someone receives; null where their bytes are not open in this page. */
  readonly #receiving = new Map<FileId, FileSink | null>();
  /** Incomplete files whose stored bytes matched their digests since the page loaded. */
  readonly #trusted = new Set<FileId>();
  #isLoaded = false;
  #loading: Promise<void> = Promise.resolve();

  constructor(parts: FileLibraryParts) {
    const { storage, clock, log = silentLog, reopener = null, keepsCopies = () => false } = parts;
    this.store = this.#files;
    this.#storage = storage;
    this.#clock = clock;
    this.#log = log;
    this.offered = new OfferedFiles({
      ...{ storage, clock, log, reopener, keepsCopies },
      onKept: (description, root) => this.#noteCopy(description, root),
    });
  }

  /** Reads what storage holds. A record that does not parse is dropped with its bytes. */
  load(): Promise<void> {
    this.#loading = this.#load();
    return this.#loading;
  }

  async #load(): Promise<void> {
    const files: Record<FileId, StoredFile> = {};
    for (const { fid, record: stored, hasBytes } of await this.#storage.listRecords()) {
      const parsed = fileIdSchema.safeParse(fid).success ? parseFileRecord(fid, stored) : null;
      const isMissing = parsed?.state === "complete" && !hasBytes;
      const record = isMissing ? ({ ...parsed, state: "missing" } as const) : parsed;
      if (record?.state === "offered") {
        await this.offered.restore(record);
      } else if (record) {
        this.#records.set(fid, record);
        files[fid] = storedFileOf(record, await storedBytesOf(record, this.#storage));
      } else {
        this.#log.warn("dropped a file whose record does not parse");
        await this.#storage.remove(fid);
      }
    }
    this.#isLoaded = true;
    this.#files.setState({ ...files, ...this.#files.getState() });
  }

  /** Whether storage has been read: before, a file that is not in the store may still be here. */
  get isLoaded(): boolean {
    return this.#isLoaded;
  }

  /**
   * Holds a picked file for this page's life, and notes what finds it after that: a small one is copied.
   * @param tree what is said of it where it is a composed tree.
   * @returns what to say of it, under a new id; chunks are larger than asked for where the file would have too many.
   * @throws WarrenError `file-too-large` when no chunk size is enough.
   */
  addSource(file: File, chunkSizeBytes: number, tree?: TreeSummary): FileDescription {
    const description = { ...describeFile(file, chunkSizeBytes), ...(tree && { tree }) };
    const head = { description, createdAt: this.#clock.now(), direction: "sent", peers: [] } as const;
    const whole = { state: "complete", place: "page", storedBytes: description.fileSize } as const;
    this.#put(description.fid, { ...head, ...whole, shared: false, saved: false });
    this.offered.add(file, { ...head, peers: [] });
    return description;
  }

  /** The bytes of a file for sending: picked on this page, or complete in storage; otherwise null. */
  sourceOf(fid: FileId): FileSource | null {
    const known = this.offered.sourceOf(fid) ?? this.#sources.get(fid);
    if (known) return known;
    const record = this.#records.get(fid);
    if (record?.state !== "complete") return null;
    const source = storedSourceOf(record, () => this.open(fid));
    this.#sources.set(fid, source);
    return source;
  }

  /**
   * Gets a file at hand for sending: at once, or, after a reload, by what was noted of it.
   * @param options.ask whether a person has just asked for it, so that the browser may ask them for permission.
   * @returns false where it has to be chosen again. Rejects with `source-changed` when it is another by now.
   */
  async openSource(fid: FileId, options: { readonly ask: boolean }): Promise<boolean> {
    await this.#loading.catch(() => {});
    if (this.sourceOf(fid) === null && !(await this.offered.reopen(fid, options))) return false;
    return this.sourceOf(fid) !== null;
  }

  /** A file picked for sending is not what it was: a kept copy takes its place, or it has to be chosen again. */
  closeSource(fid: FileId): void {
    this.offered.close(fid);
    this.#sources.delete(fid);
  }

  /** Whether all bytes of a file are here. */
  isComplete(fid: FileId): boolean {
    return this.offered.fileOf(fid) !== null || this.#records.get(fid)?.state === "complete";
  }

  /**
   * What is said of a file that is here whole, to offer it again.
   * @throws WarrenError `cache-not-found` or `cache-data-incomplete`.
   */
  completeFile(fid: FileId): FileDescription {
    const file = this.#files.getState()[fid];
    if (!file) throw new WarrenError("cache-not-found", { id: fid });
    if (!this.isComplete(fid)) throw new WarrenError("cache-data-incomplete");
    return file.description;
  }

  /**
   * Lets everyone in the room list and get a whole file, or no longer.
   * @throws WarrenError as {@link completeFile}, and `storage-failed`.
   */
  async setShared(fid: FileId, shared: boolean): Promise<void> {
    this.completeFile(fid);
    this.#update(fid, { shared });
    const record = this.#records.get(fid);
    if (record) await this.#writeRecord({ ...record, shared });
  }

  /** Remembers that a person saved a file to their disk. Rejects with `storage-failed`. */
  async noteSaved(fid: FileId): Promise<void> {
    this.#update(fid, { saved: true });
    const record = this.#records.get(fid);
    if (record && !record.saved) await this.#writeRecord({ ...record, saved: true });
  }

  /** Remembers that a file went to a client, or came from it. */
  async addPeer(fid: FileId, peerId: ClientId): Promise<void> {
    const file = this.#files.getState()[fid];
    if (!file || file.peers.includes(peerId)) return;
    const peers = [...file.peers, peerId];
    this.#put(fid, { ...file, peers });
    const record = this.#records.get(fid);
    if (record) await this.#writeRecord({ ...record, peers });
  }

  /**
   * Takes hold of a file for receiving it, a complete one too, and notes it where it is new.
   * @throws WarrenError `cache-exists` when another file has this id or it is already being received,
   * `not-enough-space`, `storage-full` or `storage-failed`.
   */
  async claim(description: FileDescription, peerId: ClientId): Promise<FileClaim> {
    const { fid } = description;
    const known = this.#records.get(fid);
    if (
      this.#receiving.has(fid) ||
      this.offered.fileOf(fid) !== null ||
      (known && !sameLayout(known.description, description))
    )
      throw new WarrenError("cache-exists", { id: fid });
    this.#receiving.set(fid, null);
    try {
      const claim = await this.#prepare(known ?? recordOf(description, peerId, this.#clock.now()));
      await this.addPeer(fid, peerId);
      return claim;
    } catch (error) {
      this.#receiving.delete(fid);
      throw error;
    }
  }

  /**
   * A complete file with its name, type and time; null where its bytes are not here. One whose bytes have disappeared
   * from storage, or were cut short there, is marked as missing, and as complete again where they are back.
   */
  async open(fid: FileId): Promise<File | null> {
    const picked = this.offered.fileOf(fid);
    if (picked) return picked;
    const record = this.#records.get(fid);
    if (!record || record.state === "incomplete") return null;
    const file = await readStored(record, this.#storage);
    const state = file === null ? "missing" : "complete";
    // It may have been removed, or be on its way here again by now.
    if (state !== record.state && this.#records.get(fid) === record)
      await this.#noteState({ ...record, state });
    return file;
  }

  /**
   * Forgets a file and its bytes; one that is being received must be let go first. It is shown until storage has let it
   * go, so that no file that was seen to go is back after a reload.
   */
  async remove(fid: FileId): Promise<void> {
    await this.#receiving.get(fid)?.close();
    this.offered.forget(fid);
    this.#sources.delete(fid);
    this.#records.delete(fid);
    this.#trusted.delete(fid);
    try {
      await this.#storage.remove(fid);
    } finally {
      const { [fid]: _removed, ...others } = this.#files.getState();
      // It may be on its way here once more by now.
      if (!this.#records.has(fid)) this.#files.setState(others, true);
    }
  }

  /**
   * Frees the copy that was kept of a file of ours, as nobody is to get it any more. One that this page has at hand is
   * known further; one of an earlier page has to be chosen again to be sent. What is shared or came from somebody stays.
   */
  async freeCopy(fid: FileId): Promise<void> {
    const file = this.#files.getState()[fid];
    if (file?.direction !== "sent" || file.shared) return;
    if (this.offered.fileOf(fid) === null) return this.remove(fid);
    this.#records.delete(fid);
    this.#sources.delete(fid);
    this.#update(fid, { place: "page" });
    await this.offered.dropCopy(fid);
  }

  /** The browser deleted what was stored: the records that this page holds are stored again. Bytes that are gone show as missing. */
  async restore(): Promise<void> {
    try {
      const stored = new Set((await this.#storage.listRecords()).map(({ fid }) => fid));
      const lost = [...this.#records].filter(([fid]) => !stored.has(fid));
      await Promise.all(lost.map(([, record]) => this.#writeRecord(record)));
      await this.offered.restoreRecords(stored);
    } catch (error) {
      this.#log.warn("records of files could not be stored again", { error });
    }
  }

  /** The bytes storage may still take, as far as the browser says; null where it does not. */
  freeBytes(): Promise<number | null> {
    return this.#storage.freeBytes();
  }

  async #noteCopy(description: FileDescription, root: string): Promise<void> {
    const file = this.#files.getState()[description.fid];
    if (!file) return;
    const { createdAt, peers, shared, saved } = file;
    const kept = { description, createdAt, peers: [...peers], shared, saved, root };
    await this.#writeRecord({ ...kept, direction: "sent", state: "complete" });
    this.#update(description.fid, { place: "storage" });
  }

  /** The bytes of a complete file have disappeared, or are back. */
  async #noteState(record: Extract<StoredRecord, { state: "complete" | "missing" }>): Promise<void> {
    const { fid, fileSize } = record.description;
    const { state } = record;
    this.#sources.delete(fid);
    this.#update(fid, { state, storedBytes: state === "complete" ? fileSize : 0 });
    // Where this cannot be stored it is found out again after the next start.
    await this.#writeRecord(record).catch(() => this.#log.warn("could not note whether a file is missing"));
  }

  async #prepare(record: StoredRecord): Promise<FileClaim> {
    const { description } = record;
    const { fid } = description;
    const digests = await this.#storage.readDigests(fid);
    const known = this.#records.get(fid);
    const isBegun = known !== undefined && known.state !== "missing";
    const begun = isBegun ? { chunks: digests.size } : null;
    if (record.state !== "complete") await ensureSpace(this.#storage, description, begun);
    if (!isBegun) {
      const incomplete: StoredRecord = { ...record, state: "incomplete" };
      await this.#writeRecord(incomplete).catch((error: unknown) => {
        if (known) this.#records.set(fid, known);
        else this.#records.delete(fid);
        throw error;
      });
      // What is left of its bytes is compared with its digests before it counts.
      this.#trusted.delete(fid);
      this.#put(fid, storedFileOf(incomplete, 0));
    }
    return {
      description,
      trusted: record.state === "complete" || this.#trusted.has(fid),
      onFinishing: () => this.#update(fid, { state: "merging" }),
      onFinished: (root: string) => this.#complete(fid, root),
      onClosed: (storedBytes: number, trusted: boolean) => {
        this.#receiving.delete(fid);
        if (trusted) this.#trusted.add(fid);
        if (!this.isComplete(fid)) this.#update(fid, { state: "incomplete", storedBytes });
      },
      abandon: () => void this.#receiving.delete(fid),
      open: async () => {
        const sink = await this.#storage.openSink(fid, description);
        this.#receiving.set(fid, sink);
        return { sink, digests };
      },
    };
  }

  async #complete(fid: FileId, root: string): Promise<void> {
    const record = this.#records.get(fid);
    if (!record) throw new WarrenError("info-not-found");
    const { description } = record;
    if (description.tree) await checkStoredTree(description, this.#storage);
    await this.#writeRecord({ ...record, state: "complete", root });
    this.#update(fid, { state: "complete", storedBytes: description.fileSize });
  }

  async #writeRecord(record: StoredRecord): Promise<void> {
    const { fid } = record.description;
    this.#records.set(fid, record);
    await this.#storage.writeRecord(fid, record);
  }

  #update(fid: FileId, change: Partial<StoredFile>): void {
    const file = this.#files.getState()[fid];
    if (file) this.#put(fid, { ...file, ...change });
  }

  #put(fid: FileId, file: StoredFile): void {
    this.#files.setState({ [fid]: file });
  }
}
