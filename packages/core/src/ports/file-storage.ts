/** Bytes that own their buffer's kind: what blobs, digests and channels take without a copy. */
export type Bytes = Uint8Array<ArrayBuffer>;

/** The shape of a stored file; the last chunk may be shorter. Sizes in bytes. */
export interface FileLayout {
  readonly fileSize: number;
  readonly chunkSize: number;
  readonly mimeType: string;
}

/** Takes a file's chunks in any order. One sink per file is open at a time. */
export interface FileSink {
  /** The bytes of a stored chunk, or null where there are none. */
  read(chunk: number): Promise<Bytes | null>;
  /**
   * Stores one chunk and its SHA-256 together. Resolves once both would survive the process being killed; an
   * adapter may gather several chunks first, for a second at most. The bytes belong to the sink from this call on: it
   * may move them to another thread.
   */
  write(chunk: number, bytes: Bytes, digest: Bytes): Promise<void>;
  /**
   * Stores what is still gathered and makes the file whole, so that {@link FileStorage.readFile} finds it; a crash
   * on the way leaves either the chunks or the whole file. Calling it on a whole file does nothing. `onProgress`
   * gets the share done, 0 to 1, where that takes a while.
   */
  finish(onProgress?: (share: number) => void): Promise<void>;
  /** Stores what is still gathered, lets go of handles and keeps what is stored. */
  close(): Promise<void>;
}

/** What storage knows of a file before its bytes are read. */
export interface ListedRecord {
  readonly fid: string;
  /** It may be older than this code: core parses it again. */
  readonly record: unknown;
  /** Whether any of its bytes may be stored: false where they are known to be gone. */
  readonly hasBytes: boolean;
}

/**
 * Where files rest in this browser: records (what is known of a file) and bytes, by file id.
 * Rejects with WarrenError `storage-full` when the quota is reached, otherwise `storage-failed`.
 */
export interface FileStorage {
  readonly kind: "opfs" | "indexeddb" | "memory";
  /** All records, in no order. */
  listRecords(): Promise<ListedRecord[]>;
  /** Durable when it resolves. */
  writeRecord(fid: string, record: unknown): Promise<void>;
  /** The SHA-256 of every chunk stored so far, also after the file was made whole. */
  readDigests(fid: string): Promise<ReadonlyMap<number, Bytes>>;
  /** Opens the bytes of a file for writing; chunks stored earlier stay. */
  openSink(fid: string, layout: FileLayout): Promise<FileSink>;
  /** The bytes of a finished file, or null where there is none. */
  readFile(fid: string, layout: FileLayout): Promise<Blob | null>;
  /** Forgets record and bytes. */
  remove(fid: string): Promise<void>;
  /** The bytes this origin may still store, as far as the platform says; null where it does not. */
  freeBytes(): Promise<number | null>;
  close(): void;
}
