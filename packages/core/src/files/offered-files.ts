import {
  type ClientId,
  type FileDescription,
  type FileId,
  toWarrenError,
  WarrenError,
} from "@warren/protocol";
import type { CancelTimer, Clock } from "../ports/clock.ts";
import type { FileReopener } from "../ports/file-reopener.ts";
import type { Bytes, FileStorage } from "../ports/file-storage.ts";
import type { Log } from "../shared/log.ts";
import { SerialQueue } from "../shared/serial-queue.ts";
import { digestOf, sameDigest } from "./digests/digests.ts";
import { chunkLengthOf, chunkStartOf } from "./file-layout.ts";
import type { FileRecord } from "./file-record.ts";
import { blobSource, type FileSource } from "./file-source.ts";
import { CopyPace, keepCopy } from "./keep-copy.ts";

/** How often the sent chunks of a file are recorded while it is being sent. */
const savePeriodMs = 5_000;
/** Files up to this size are copied into this browser when they are offered. */
const keptCopyLimitBytes = 64 * 1024 * 1024;
/** How many of the chunks sent before are compared when a file is chosen again; the rest are compared while sending. */
const sampleCount = 16;

type OfferedRecord = Extract<FileRecord, { state: "offered" }>;

export interface OfferedFilesDeps {
  readonly storage: Pick<FileStorage, "kind" | "writeRecord" | "readDigests" | "openSink" | "remove">;
  readonly clock: Clock;
  readonly log: Log;
  /** Absent if the platform cannot reopen files. */
  readonly reopener: FileReopener | null;
  /** Whether small files are copied into storage. */
  readonly keepsCopies: () => boolean;
  /** Records that a copy is complete. Rejects with `storage-failed`. */
  readonly recordCopy: (description: FileDescription, root: string) => Promise<void>;
}

interface OfferedFile {
  record: OfferedRecord;
  /** Null after a reload, until the file is opened or chosen again. */
  opened: { readonly file: File; readonly source: FileSource } | null;
  /** The picked file, once it has changed since it was offered. */
  changed: File | null;
  /** Whether storage should hold this record; a stored copy has a different one. */
  isNoted: boolean;
  whenNoted: Promise<void>;
  /** Whether a copy may be stored: a recipient may still get the file. */
  wantsCopy: boolean;
  savedLeaves: number;
  /** The clients it is being sent to. */
  readonly recipients: Set<ClientId>;
}

/** The files picked here for sending: available while the page is open, and reopened after a reload. */
export class OfferedFiles {
  readonly #deps: OfferedFilesDeps;
  readonly #files = new Map<FileId, OfferedFile>();
  readonly #pace: CopyPace;
  readonly #copies = new SerialQueue();
  /** How many transfers are sending these files. */
  #sending = 0;
  #cancelSaves: CancelTimer | null = null;

  constructor(deps: OfferedFilesDeps) {
    this.#deps = deps;
    this.#pace = new CopyPace(deps.clock, () => this.#sending > 0);
  }

  /** Adds a picked file, and stores how to reopen it. */
  add(file: File, head: Pick<OfferedRecord, "description" | "createdAt" | "direction" | "peers">): void {
    const record: OfferedRecord = { ...head, state: "offered", handle: null, leaves: new Map() };
    const opened = { file, source: blobSource(file) };
    const offered = { ...fresh(), record, opened };
    this.#files.set(head.description.fid, offered);
    offered.whenNoted = this.#noteHandle(offered, file).catch((thrown: unknown) =>
      this.#warn("note", thrown),
    );
    this.#keepCopy(offered);
  }

  /** Resolves once it is stored, or could not be, how to reopen a file. */
  async whenNoted(fid: FileId): Promise<void> {
    await this.#files.get(fid)?.whenNoted;
  }

  /** A file is offered again: it may be copied again. */
  wantCopy(fid: FileId): void {
    const offered = this.#files.get(fid);
    if (!offered || offered.wantsCopy) return;
    offered.wantsCopy = true;
    this.#keepCopy(offered);
  }

  /** Deletes the copy of a file, or stops making it. A file available in this page remains available. */
  async dropCopy(fid: FileId): Promise<void> {
    const offered = this.#files.get(fid);
    if (!offered?.wantsCopy) return;
    offered.wantsCopy = false;
    // An unfinished copy is deleted by the function that is making it.
    if (offered.isNoted) return;
    offered.isNoted = true;
    await this.#freeBytes(offered);
  }

  /**
   * Restores an offered file of an earlier page. That page was closed before a copy was complete, so the partial copy
   * is deleted.
   */
  async restore(record: OfferedRecord): Promise<void> {
    const { fid } = record.description;
    const offered = { ...fresh(), record, opened: null, savedLeaves: record.leaves.size };
    this.#files.set(fid, offered);
    if ((await this.#deps.storage.readDigests(fid)).size > 0) await this.#freeBytes(offered);
  }

  /** The file, if it is available in this page; otherwise null. */
  fileOf(fid: FileId): File | null {
    return this.#files.get(fid)?.opened?.file ?? null;
  }

  /** Like {@link fileOf}, for sending. */
  sourceOf(fid: FileId): FileSource | null {
    return this.#files.get(fid)?.opened?.source ?? null;
  }

  /** Whether nothing is left to reopen a file once the page closes. */
  isLostWithPage(fid: FileId): boolean {
    const offered = this.#files.get(fid);
    return offered?.isNoted === true && (offered.record.handle ?? null) === null;
  }

  /**
   * Opens a file of an earlier page from its stored handle.
   * @param ask whether a person has just requested it.
   * @returns whether it is available now. Rejects with `source-changed` when it has changed since.
   */
  async reopen(fid: FileId, { ask }: { readonly ask: boolean }): Promise<boolean> {
    const offered = this.#files.get(fid);
    if (!offered) return false;
    if (offered.opened) return true;
    const handle = offered.record.handle ?? null;
    const file = handle === null ? null : await this.#deps.reopener?.open(handle, { ask });
    if (!file) return false;
    if (!(await this.#matches(offered, file))) throw new WarrenError("source-changed");
    this.#open(offered, file);
    return true;
  }

  /**
   * Takes a file that a person chose again to replace an unavailable one.
   * Rejects with `wrong-file` when it differs in size, time, or the chunks already sent.
   */
  async choose(fid: FileId, file: File): Promise<void> {
    const offered = this.#files.get(fid);
    if (!offered) throw new WarrenError("source-missing");
    this.close(fid);
    if (!(await this.#matches(offered, file))) throw new WarrenError("wrong-file");
    this.#open(offered, file);
    await this.#noteHandle(offered, file).catch((thrown: unknown) => this.#warn("note", thrown));
  }

  /** Records the sent chunks of a file, periodically while it is being sent and at the end. */
  noteSending(fid: FileId, to: ClientId, isSending: boolean): void {
    const offered = this.#files.get(fid);
    if (!offered) return;
    const { size } = offered.recipients;
    if (isSending) offered.recipients.add(to);
    else if (offered.recipients.delete(to)) this.#saveLeaves(offered);
    this.#sending += offered.recipients.size - size;
    if (isSending) this.#cancelSaves ??= this.#deps.clock.every(savePeriodMs, () => this.#saveAll());
  }

  /** The file has changed since it was offered: it has to be opened or chosen again, in its original state. */
  close(fid: FileId): void {
    const offered = this.#files.get(fid);
    if (!offered?.opened) return;
    const { digests } = offered.opened.source;
    offered.record = { ...offered.record, leaves: new Map([...offered.record.leaves, ...digests]) };
    offered.changed = offered.opened.file;
    offered.opened = null;
  }

  /** A file that has changed since it was offered, for inspection and not for sending; null if there is none. */
  changedFileOf(fid: FileId): File | null {
    return this.#files.get(fid)?.changed ?? null;
  }

  /** Forgets a file. The caller removes its record. */
  forget(fid: FileId): void {
    const offered = this.#files.get(fid);
    if (offered) {
      offered.isNoted = false;
      this.#sending -= offered.recipients.size;
    }
    this.#files.delete(fid);
  }

  /** Forgets files offered by earlier pages that no recipient waits for any more. */
  async keepOnly(fids: ReadonlySet<FileId>): Promise<void> {
    for (const [fid, { opened }] of [...this.#files]) {
      if (opened || fids.has(fid)) continue;
      this.forget(fid);
      await this.#deps.storage.remove(fid);
    }
  }

  #open(offered: OfferedFile, file: File): void {
    offered.opened = { file, source: blobSource(file, offered.record.leaves) };
    offered.changed = null;
  }

  async #matches({ record }: OfferedFile, file: File): Promise<boolean> {
    const { description } = record;
    if (file.size !== description.fileSize) return false;
    if (Math.max(0, Math.trunc(file.lastModified)) !== description.lastModified) return false;
    const leaves = [...record.leaves];
    const step = Math.max(1, Math.floor(leaves.length / sampleCount));
    for (let index = 0; index < leaves.length; index += step) {
      const leaf = leaves[index];
      if (leaf && !(await hasLeaf(file, description, ...leaf))) return false;
    }
    return true;
  }

  async #noteHandle(offered: OfferedFile, file: File): Promise<void> {
    const handle = (await this.#deps.reopener?.handleOf(file)) ?? null;
    offered.record = { ...offered.record, handle };
    await this.#write(offered);
  }

  /** A failed copy matters only after a reload: the file has to be chosen again then. */
  #keepCopy(offered: OfferedFile): void {
    const { storage, keepsCopies } = this.#deps;
    const { fileSize } = offered.record.description;
    // Decided first: a large file, which is not copied, must not delay the copies of others.
    if (fileSize > keptCopyLimitBytes || storage.kind === "memory" || !keepsCopies()) return;
    this.#pace.noteOffer(fileSize);
    this.#copies.run(() => this.#copy(offered)).catch((thrown: unknown) => this.#warn("copy", thrown));
  }

  async #copy(offered: OfferedFile): Promise<void> {
    const { storage, recordCopy } = this.#deps;
    const { record, opened } = offered;
    const { description } = record;
    const { fid } = description;
    const isWanted = () => this.#files.get(fid) === offered && offered.wantsCopy;
    // Offered again while an earlier request for the copy was queued.
    if (!opened || !offered.isNoted) return;
    const root = await keepCopy(storage, description, opened.source, { isWanted, pace: this.#pace });
    if (root === null || !isWanted()) return this.#freeBytes(offered);
    // From here on the record is a stored file's; this page continues with the picked file.
    offered.isNoted = false;
    await recordCopy(description, root);
  }

  /** Deletes the stored bytes of a file, and writes its record again if it has one. */
  async #freeBytes(offered: OfferedFile): Promise<void> {
    await this.#deps.storage.remove(offered.record.description.fid);
    await this.#write(offered);
  }

  #saveAll(): void {
    const sending = [...this.#files.values()].filter(({ recipients }) => recipients.size > 0);
    for (const offered of sending) this.#saveLeaves(offered);
    if (sending.length > 0) return;
    this.#cancelSaves?.();
    this.#cancelSaves = null;
  }

  #saveLeaves(offered: OfferedFile): void {
    const { record, opened } = offered;
    if (!opened) return;
    const leaves = new Map([...record.leaves, ...opened.source.digests]);
    if (leaves.size === offered.savedLeaves) return;
    offered.savedLeaves = leaves.size;
    offered.record = { ...record, leaves };
    void this.#write(offered).catch((thrown: unknown) => this.#warn("note", thrown));
  }

  /** Stores lost records again. @param stored the files whose records storage still has. */
  async restoreRecords(stored: ReadonlySet<FileId>): Promise<void> {
    for (const [fid, offered] of this.#files) if (!stored.has(fid)) await this.#write(offered);
  }

  /** Writes keep their order, because storage does. */
  async #write({ isNoted, record }: OfferedFile): Promise<void> {
    if (isNoted) await this.#deps.storage.writeRecord(record.description.fid, record);
  }

  #warn(what: string, thrown: unknown): void {
    this.#deps.log.warn(`could not ${what} an offered file`, { code: toWarrenError(thrown).code });
  }
}

/** The initial state of every file that is offered, or offered again. */
function fresh(): Omit<OfferedFile, "record" | "opened"> {
  const whenNoted = Promise.resolve();
  return { changed: null, isNoted: true, whenNoted, wantsCopy: true, savedLeaves: 0, recipients: new Set() };
}

async function hasLeaf(
  file: File,
  description: FileDescription,
  chunk: number,
  leaf: Bytes,
): Promise<boolean> {
  const start = chunkStartOf(description, chunk);
  const part = file.slice(start, start + chunkLengthOf(description, chunk));
  try {
    return sameDigest(await digestOf(new Uint8Array(await part.arrayBuffer())), leaf);
  } catch {
    return false; // it cannot be read: it changed since it was chosen
  }
}
