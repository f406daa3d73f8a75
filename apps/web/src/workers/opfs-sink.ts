import { type Bytes, type FileLayout, type FileSink, freeMemory } from "@warren/core";
import { chunkCountOf, WarrenError } from "@warren/protocol";
import { inOpfs } from "./opfs-errors.ts";
import { type Ledger, ledgerRecord, ledgerRecordBytes, readLedger, wholeRecord } from "./opfs-ledger.ts";

/** The two stored files of a file in the origin private file system, opened exclusively by this worker. */
export interface OpfsHandles {
  readonly data: FileSystemSyncAccessHandle;
  readonly ledger: FileSystemSyncAccessHandle;
}

/**
 * Writes each chunk to its place in one file, then its digest to the ledger. Both are with the operating
 * system when a write returns, so they survive a killed browser; flushing to disk is only awaited once, at
 * the end.
 */
export class OpfsSink implements FileSink {
  readonly #handles: OpfsHandles;
  readonly #layout: FileLayout;
  readonly #digests: Map<number, Bytes>;
  readonly #onClose: () => void;
  #ledgerBytes: number;
  #whole: boolean;
  #closed = false;

  /** @throws WarrenError `storage-full` if the file does not fit. */
  constructor(handles: OpfsHandles, layout: FileLayout, onClose: () => void) {
    this.#handles = handles;
    this.#layout = layout;
    this.#onClose = onClose;
    const ledger = ledgerOf(handles.ledger);
    this.#digests = ledger.digests;
    this.#whole = ledger.whole;
    // Overwrites a truncated record.
    const size = handles.ledger.getSize();
    this.#ledgerBytes = size - (size % ledgerRecordBytes);
    reserve(handles.data, layout.fileSize);
  }

  read(chunk: number): Promise<Bytes | null> {
    return this.#use(({ data }) => {
      if (!this.#digests.has(chunk)) return null;
      const bytes = new Uint8Array(this.#lengthOf(chunk));
      return data.read(bytes, { at: this.#startOf(chunk) }) === bytes.byteLength ? bytes : null;
    });
  }

  write(chunk: number, bytes: Bytes, digest: Bytes): Promise<void> {
    return this.#use(({ data, ledger }) => {
      writeAll(data, bytes, this.#startOf(chunk));
      freeMemory(bytes);
      writeAll(ledger, ledgerRecord(chunk, digest), this.#ledgerBytes);
      this.#ledgerBytes += ledgerRecordBytes;
      this.#digests.set(chunk, digest);
    });
  }

  finish(onProgress?: (progress: number) => void): Promise<void> {
    return this.#use(({ data, ledger }) => {
      if (this.#whole) return;
      const count = chunkCountOf(this.#layout.fileSize, this.#layout.chunkSize);
      for (let chunk = 0; chunk < count; chunk++)
        if (!this.#digests.has(chunk))
          throw new WarrenError("storage-failed", { reason: `chunk ${chunk} is missing` });
      onProgress?.(0);
      data.flush();
      writeAll(ledger, wholeRecord(), this.#ledgerBytes);
      ledger.flush();
      this.#ledgerBytes += ledgerRecordBytes;
      this.#whole = true;
      onProgress?.(1);
    });
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#handles.data.close();
    this.#handles.ledger.close();
    this.#onClose();
  }

  /** Async, so that it rejects instead of throwing, as the port requires. */
  #use<T>(work: (handles: OpfsHandles) => T): Promise<T> {
    return inOpfs(() => {
      if (this.#closed) throw new WarrenError("storage-failed", { reason: "closed" });
      return work(this.#handles);
    });
  }

  #startOf(chunk: number): number {
    return chunk * this.#layout.chunkSize;
  }

  #lengthOf(chunk: number): number {
    return Math.min(this.#layout.chunkSize, this.#layout.fileSize - this.#startOf(chunk));
  }
}

function ledgerOf(handle: FileSystemSyncAccessHandle): Ledger {
  const bytes = new Uint8Array(handle.getSize());
  handle.read(bytes, { at: 0 });
  return readLedger(bytes);
}

function writeAll(handle: FileSystemSyncAccessHandle, bytes: Bytes, at: number): void {
  // A full disk can appear as a short write.
  if (handle.write(bytes, { at }) !== bytes.byteLength) throw new WarrenError("storage-full");
}

/**
 * Allocates the full length of a file at the start: a full disk then fails early, and no write has to grow
 * the file.
 */
function reserve(data: FileSystemSyncAccessHandle, sizeBytes: number): void {
  if (data.getSize() >= sizeBytes) return;
  try {
    data.truncate(sizeBytes);
  } catch (cause) {
    // Chromium names the quota. Firefox throws a value without name or error type.
    throw new WarrenError("storage-full", {}, { cause });
  }
  // In Chromium's private windows, truncate silently does nothing if the quota is too small.
  if (data.getSize() < sizeBytes) throw new WarrenError("storage-full");
}
