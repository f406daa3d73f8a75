/** Bytes over a plain ArrayBuffer, which blobs, digests and channels accept without a copy. */
export type Bytes = Uint8Array<ArrayBuffer>;

/** The shape of a stored file; the last chunk may be shorter. Sizes in bytes. */
export interface FileLayout {
  readonly fileSize: number;
  readonly chunkSize: number;
  readonly mimeType: string;
}

/** Accepts a file's chunks in any order. One sink per file is open at a time. */
export interface FileSink {
  /** Reads the bytes of a stored chunk; null if it is not stored. */
  read(chunk: number): Promise<Bytes | null>;
  /**
   * Stores one chunk together with its SHA-256. Resolves once both would survive a crash of the process; an adapter may
   * batch chunks, for a second at most. Takes ownership of the bytes: it may transfer or free them.
   */
  write(chunk: number, bytes: Bytes, digest: Bytes): Promise<void>;
  /**
   * Stores batched chunks and assembles the file, so that {@link FileStorage.readFile} finds it; a crash meanwhile
   * leaves either the chunks or the whole file. Does nothing if the file is already assembled. `onProgress` gets the
   * progress, 0 to 1, if this takes a while.
   */
  finish(onProgress?: (progress: number) => void): Promise<void>;
  /** Stores batched chunks, releases handles and keeps the stored chunks. */
  close(): Promise<void>;
}

/** A stored record, listed without reading the file's bytes. */
export interface ListedRecord {
  readonly fid: string;
  /** May be from an older version: core parses it again. */
  readonly record: unknown;
  /** Whether any of its bytes may be stored; false if they are known to be gone. */
  readonly hasBytes: boolean;
}

/**
 * Stores files in this browser, or on this machine, by file id: their records (metadata) and their bytes.
 * Rejects with WarrenError `storage-full` when the quota is reached, otherwise `storage-failed`.
 */
export interface FileStorage {
  readonly kind: "opfs" | "indexeddb" | "disk" | "memory";
  /** All records, in no order. */
  listRecords(): Promise<ListedRecord[]>;
  /** Resolves once the record is durable. */
  writeRecord(fid: string, record: unknown): Promise<void>;
  /** The SHA-256 of every stored chunk, also after the file was assembled. */
  readDigests(fid: string): Promise<ReadonlyMap<number, Bytes>>;
  /** Opens the bytes of a file for writing; chunks stored earlier are kept. */
  openSink(fid: string, layout: FileLayout): Promise<FileSink>;
  /** The bytes of an assembled file, or null if there is none. */
  readFile(fid: string, layout: FileLayout): Promise<Blob | null>;
  /** Deletes record and bytes. */
  remove(fid: string): Promise<void>;
  /** The bytes this origin may still store, as reported by the platform; null if unknown. */
  freeBytes(): Promise<number | null>;
  close(): void;
}
