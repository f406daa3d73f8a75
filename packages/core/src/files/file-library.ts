import {
  type ClientId,
  type FileDescription,
  type FileId,
  fileIdSchema,
  v,
  WarrenError,
} from "@warren/protocol";
import type { Clock } from "../ports/clock.ts";
import type { FileReopener } from "../ports/file-reopener.ts";
import type { FileSink, FileStorage } from "../ports/file-storage.ts";
import type { ReadManifest } from "../ports/manifest-reader.ts";
import { type Log, silentLog } from "../shared/log.ts";
import { settledInTime } from "../shared/stall-watch.ts";
import { createStore, type ReadableStore, type WritableStore } from "../shared/store.ts";
import { without } from "../shared/without.ts";
import { describeFile } from "./describe-file.ts";
import { sameLayout } from "./file-layout.ts";
import { type KeptFileRecord, parseFileRecord } from "./file-record.ts";
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
import { readManifest } from "./trees/open-tree.ts";

export interface FileLibraryDeps {
  readonly storage: FileStorage;
  readonly clock: Clock;
  readonly log?: Log;
  readonly reopener?: FileReopener | undefined;
  /** Reads manifests in another thread; this one does if absent. */
  readonly readManifest?: ReadManifest | undefined;
  /** Whether small files are copied into storage when they are offered; never by default. */
  readonly keepsCopies?: () => boolean;
}

/** A claimed file; `sink` is null if its bytes are not open in this page. */
interface Receiving {
  sink: FileSink | null;
}

/** The files of this browser: picked on this page, or in storage. The only writer of both. */
export class FileLibrary {
  readonly store: ReadableStore<LibraryState>;
  /** The files picked for sending. */
  readonly offered: OfferedFiles;
  readonly readManifest: ReadManifest;
  readonly #files: WritableStore<LibraryState> = createStore<LibraryState>(new Map());
  readonly #storage: FileStorage;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #records = new Map<FileId, KeptFileRecord>();
  readonly #sources = new Map<FileId, FileSource>();
  /** Files being received, by their latest claims. */
  readonly #receiving = new Map<FileId, Receiving>();
  /** Incomplete files whose stored bytes matched their digests since the page loaded. */
  readonly #verified = new Set<FileId>();
  #isLoaded = false;
  #loading: Promise<void> | null = null;

  constructor(deps: FileLibraryDeps) {
    const { storage, clock, log = silentLog, reopener = null, keepsCopies = () => false } = deps;
    this.store = this.#files;
    this.readManifest = deps.readManifest ?? readManifest;
    this.#storage = storage;
    this.#clock = clock;
    this.#log = log;
    this.offered = new OfferedFiles({
      ...{ storage, clock, log, reopener, keepsCopies },
      recordCopy: (description, root) => this.#noteCopy(description, root),
    });
  }

  /**
   * Loads the file records, once. A record that does not parse is deleted with its bytes. Rejects with `storage-failed`;
   * the next call tries again.
   */
  load(): Promise<void> {
    this.#loading ??= this.#load().catch((error: unknown) => {
      this.#loading = null;
      throw error;
    });
    return this.#loading;
  }

  async #load(): Promise<void> {
    const files = new Map<FileId, StoredFile>();
    for (const { fid, record: stored, hasBytes } of await this.#storage.listRecords()) {
      const parsed = v.is(fileIdSchema, fid) ? parseFileRecord(fid, stored) : null;
      const isMissing = parsed?.state === "complete" && !hasBytes;
      const record = isMissing ? ({ ...parsed, state: "missing" } as const) : parsed;
      if (record?.state === "offered") {
        await this.offered.restore(record);
      } else if (record) {
        this.#records.set(fid, record);
        files.set(fid, storedFileOf(record, await storedBytesOf(record, this.#storage)));
      } else {
        this.#log.warn("dropped a file whose record does not parse");
        await this.#storage.remove(fid);
      }
    }
    this.#isLoaded = true;
    this.#files.setState((state) => new Map([...files, ...state]), true);
  }

  /** Whether storage has been read. Before that, a file missing from the store may still be here. */
  get isLoaded(): boolean {
    return this.#isLoaded;
  }

  /**
   * Holds a picked file until the page closes, and stores how to reopen it later: a small file is copied.
   * @param known the summary of a composed tree, and permissions, where there are any.
   * @returns its description, under a new id; chunks are larger than requested if the file would have too many.
   * @throws WarrenError `file-too-large` when no chunk size is enough.
   */
  addSource(
    file: File,
    chunkSizeBytes: number,
    { tree, permissions }: Pick<FileDescription, "tree" | "permissions"> = {},
  ): FileDescription {
    const description = {
      ...describeFile(file, chunkSizeBytes),
      ...(tree && { tree }),
      ...(permissions && { permissions }),
    };
    const head = { description, createdAt: this.#clock.now(), direction: "sent", peers: [] } as const;
    const whole = { state: "complete", location: "page", storedBytes: description.fileSize } as const;
    this.#put(description.fid, { ...head, ...whole, shared: false, saved: false, savedAs: null });
    this.offered.add(file, { ...head, peers: [] });
    return description;
  }

  /** The bytes of a file for sending: picked on this page, or complete in storage; otherwise null. */
  sourceOf(fid: FileId): FileSource | null {
    const known = this.offered.sourceOf(fid) ?? this.#sources.get(fid);
    if (known) return known;
    const record = this.#records.get(fid);
    if (record?.state !== "complete") return null;
    const source = storedSourceOf(record, () => settledInTime(this.#clock, "read", this.open(fid)));
    this.#sources.set(fid, source);
    return source;
  }

  /**
   * Makes a file available for sending: at once or, after a reload, through its stored handle or copy.
   * @param options.ask whether a person has just requested it, so that the browser may ask for permission.
   * @returns false if it has to be chosen again. Rejects with `source-changed` when it has changed since.
   */
  async openSource(fid: FileId, options: { readonly ask: boolean }): Promise<boolean> {
    await this.load().catch(() => {});
    if (this.sourceOf(fid) === null && !(await this.offered.reopen(fid, options))) return false;
    return this.sourceOf(fid) !== null;
  }

  /** A file picked for sending has changed: a stored copy replaces it, or it has to be chosen again. */
  closeSource(fid: FileId): void {
    this.offered.close(fid);
    this.#sources.delete(fid);
  }

  /** Whether all bytes of a file are here. */
  isComplete(fid: FileId): boolean {
    return this.offered.fileOf(fid) !== null || this.#records.get(fid)?.state === "complete";
  }

  /** Whether all bytes of this file are here: those of another one may be, under the same id. */
  has(file: FileDescription): boolean {
    const known = this.#files.getState().get(file.fid);
    return known !== undefined && this.isComplete(file.fid) && sameLayout(known.description, file);
  }

  /**
   * The description of a complete file, to offer it again.
   * @throws WarrenError `cache-not-found` or `cache-data-incomplete`.
   */
  completeFile(fid: FileId): FileDescription {
    const file = this.#files.getState().get(fid);
    if (!file) throw new WarrenError("cache-not-found", { id: fid });
    if (!this.isComplete(fid)) throw new WarrenError("cache-data-incomplete");
    return file.description;
  }

  /**
   * Sets whether everyone in the room may list and get a complete file.
   * @throws WarrenError as {@link completeFile}, and `storage-failed`.
   */
  async setShared(fid: FileId, shared: boolean): Promise<void> {
    this.completeFile(fid);
    this.#update(fid, { shared });
    const record = this.#records.get(fid);
    if (record) await this.#writeRecord({ ...record, shared });
  }

  /**
   * Records that a person saved a file to their disk. Rejects with `storage-failed`.
   * @param savedAs the name that the browser gave it there; null if it has its own
   */
  async markSaved(fid: FileId, savedAs: string | null = null): Promise<void> {
    this.#update(fid, { saved: true, savedAs });
    const record = this.#records.get(fid);
    if (record && (!record.saved || record.savedAs !== savedAs))
      await this.#writeRecord({ ...record, saved: true, savedAs });
  }

  /** Records that a file was sent to a client, or received from it. */
  async addPeer(fid: FileId, peerId: ClientId): Promise<void> {
    const file = this.#files.getState().get(fid);
    if (!file || file.peers.includes(peerId)) return;
    const peers = [...file.peers, peerId];
    this.#put(fid, { ...file, peers });
    const record = this.#records.get(fid);
    if (record) await this.#writeRecord({ ...record, peers });
  }

  /**
   * Claims a file for receiving, even if it is complete, and stores a record if it is new. With `root`, completing it rejects
   * with `root-verification-failed` for any other digest.
   * @throws WarrenError `cache-exists` when another file has this id or it is already being received,
   * `not-enough-space`, `storage-full`, `storage-failed` or `transfer-stalled`.
   */
  async claim(description: FileDescription, peerId: ClientId, root?: string): Promise<FileClaim> {
    const { fid } = description;
    const known = this.#records.get(fid);
    if (
      this.#receiving.has(fid) ||
      this.offered.fileOf(fid) !== null ||
      (known && !sameLayout(known.description, description))
    )
      throw new WarrenError("cache-exists", { id: fid });
    const receiving: Receiving = { sink: null };
    this.#receiving.set(fid, receiving);
    const prepare = async () => {
      const record = known ?? recordOf(description, peerId, this.#clock.now());
      const claim = await this.#prepare(record, receiving, root);
      await this.addPeer(fid, peerId);
      return claim;
    };
    try {
      return await settledInTime(this.#clock, "store", prepare());
    } catch (error) {
      this.#release(fid, receiving);
      throw error;
    }
  }

  /**
   * Opens a complete file with its name, type and time; null if its bytes are not here. A file whose bytes have
   * disappeared from storage, or were truncated, is marked as missing, and as complete again when they are back.
   */
  async open(fid: FileId): Promise<File | null> {
    const picked = this.offered.fileOf(fid);
    if (picked) return picked;
    await this.load().catch(() => {});
    const record = this.#records.get(fid);
    if (!record || record.state === "incomplete") return null;
    const file = await readStored(record, this.#storage);
    const state = file === null ? "missing" : "complete";
    // It may have been removed, or be received again, in the meantime.
    if (state !== record.state && this.#records.get(fid) === record)
      await this.#noteState({ ...record, state });
    return file;
  }

  /**
   * Deletes a file and its bytes; one that is being received has to be released first. It is shown until storage has
   * deleted it, so that no file seen to disappear is back after a reload.
   */
  async remove(fid: FileId): Promise<void> {
    await this.#receiving.get(fid)?.sink?.close();
    this.offered.forget(fid);
    this.#sources.delete(fid);
    this.#records.delete(fid);
    this.#verified.delete(fid);
    try {
      await this.#storage.remove(fid);
    } finally {
      // It may be received again by now.
      if (!this.#records.has(fid)) this.#files.setState((files) => without(files, fid), true);
    }
  }

  /**
   * Deletes the stored copy of one of our files, since nobody can still get it. A file available in this page remains
   * known; one of an earlier page has to be chosen again. Shared and received files are kept.
   */
  async freeCopy(fid: FileId): Promise<void> {
    const file = this.#files.getState().get(fid);
    if (file?.direction !== "sent" || file.shared) return;
    if (this.offered.fileOf(fid) === null) return this.remove(fid);
    this.#records.delete(fid);
    this.#sources.delete(fid);
    this.#update(fid, { location: "page" });
    await this.offered.dropCopy(fid);
  }

  /**
   * The browser deleted all stored data: stores the records of this page again. Files without their bytes show as
   * missing.
   */
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

  /** The bytes storage can still take, as reported by the browser; null if unknown. */
  freeBytes(): Promise<number | null> {
    return this.#storage.freeBytes();
  }

  async #noteCopy(description: FileDescription, root: string): Promise<void> {
    const file = this.#files.getState().get(description.fid);
    if (!file) return;
    const { createdAt, peers, shared, saved, savedAs } = file;
    const kept = { description, createdAt, peers: [...peers], shared, saved, savedAs, root };
    await this.#writeRecord({ ...kept, direction: "sent", state: "complete" });
    this.#update(description.fid, { location: "storage" });
  }

  /** The bytes of a complete file have disappeared, or are back. */
  async #noteState(record: Extract<KeptFileRecord, { state: "complete" | "missing" }>): Promise<void> {
    const { fid, fileSize } = record.description;
    const { state } = record;
    this.#sources.delete(fid);
    this.#update(fid, { state, storedBytes: state === "complete" ? fileSize : 0 });
    // If this cannot be stored, it is detected again after the next start.
    await this.#writeRecord(record).catch(() => this.#log.warn("could not note whether a file is missing"));
  }

  /** A claim that was given up because storage did not answer may end while the file is claimed again. */
  #release(fid: FileId, receiving: Receiving): boolean {
    return this.#receiving.get(fid) === receiving && this.#receiving.delete(fid);
  }

  /** Storage may answer after its claim was given up. @throws WarrenError `transfer-stalled` */
  #requireClaim(fid: FileId, receiving: Receiving): void {
    if (this.#receiving.get(fid) !== receiving) throw new WarrenError("transfer-stalled", { step: "store" });
  }

  async #prepare(
    record: KeptFileRecord,
    receiving: Receiving,
    expectedRoot: string | undefined,
  ): Promise<FileClaim> {
    const { description } = record;
    const { fid } = description;
    const digests = await this.#storage.readDigests(fid);
    this.#requireClaim(fid, receiving);
    const known = this.#records.get(fid);
    const isStarted = known !== undefined && known.state !== "missing";
    const isMerging = () => this.#files.getState().get(fid)?.state === "merging";
    const started = isStarted ? { chunks: digests.size } : null;
    if (record.state !== "complete") await ensureSpace(this.#storage, description, started);
    this.#requireClaim(fid, receiving);
    if (!isStarted) {
      const incomplete: KeptFileRecord = { ...record, state: "incomplete" };
      await this.#writeRecord(incomplete).catch((error: unknown) => {
        if (known) this.#records.set(fid, known);
        else this.#records.delete(fid);
        throw error;
      });
      // Remaining bytes have to match their digests before they count.
      this.#verified.delete(fid);
      this.#put(fid, storedFileOf(incomplete, 0));
    }
    return {
      description,
      storedChunksVerified: record.state === "complete" || this.#verified.has(fid),
      startMerging: () => this.#update(fid, { state: "merging" }),
      complete: async (root) => {
        this.#requireClaim(fid, receiving);
        if (expectedRoot !== undefined && root !== expectedRoot)
          throw new WarrenError("root-verification-failed");
        await this.#complete(fid, root);
      },
      release: (storedBytes, storedChunksVerified) => {
        if (!this.#release(fid, receiving)) return;
        if (storedChunksVerified) this.#verified.add(fid);
        if (!this.isComplete(fid)) this.#update(fid, { state: "incomplete", storedBytes });
        else if (isMerging()) this.#update(fid, { state: "complete" });
      },
      abandon: () => {
        if (this.#release(fid, receiving) && isMerging())
          this.#update(fid, { state: this.isComplete(fid) ? "complete" : "incomplete" });
      },
      open: async () => {
        const sink = await this.#storage.openSink(fid, description);
        receiving.sink = sink;
        return { sink, digests };
      },
    };
  }

  async #complete(fid: FileId, root: string): Promise<void> {
    const record = this.#records.get(fid);
    if (!record) throw new WarrenError("info-not-found");
    const { description } = record;
    if (description.tree) await checkStoredTree(description, this.#storage, this.readManifest);
    await this.#writeRecord({ ...record, state: "complete", root });
    this.#update(fid, { state: "complete", storedBytes: description.fileSize });
  }

  async #writeRecord(record: KeptFileRecord): Promise<void> {
    const { fid } = record.description;
    this.#records.set(fid, record);
    await this.#storage.writeRecord(fid, record);
  }

  #update(fid: FileId, change: Partial<StoredFile>): void {
    const file = this.#files.getState().get(fid);
    if (file) this.#put(fid, { ...file, ...change });
  }

  #put(fid: FileId, file: StoredFile): void {
    this.#files.setState((files) => new Map(files).set(fid, file), true);
  }
}
