import type { ClientId, FileDescription, FileId } from "@warren/protocol";
import type { StoredRecord } from "./file-record.ts";

/** A file this browser holds, whole or in part. */
export interface StoredFile {
  readonly description: FileDescription;
  /** When it came into this browser, ms since the epoch. */
  readonly createdAt: number;
  readonly direction: "sent" | "received";
  /** Who it was sent to or came from. */
  readonly peers: readonly ClientId[];
  readonly state: "incomplete" | "merging" | "complete";
  /** `page`: a file picked here, gone when the page is; `storage`: kept in this browser. */
  readonly place: "page" | "storage";
  /** Bytes kept; brought up to date when a transfer ends, not while it runs. */
  readonly storedBytes: number;
}

/** All files by id. */
export type LibraryState = Readonly<Record<FileId, StoredFile>>;

/** A file as its record tells. */
export function storedFileOf(record: StoredRecord, storedBytes: number): StoredFile {
  const { description, createdAt, direction, peers, state } = record;
  return { description, createdAt, direction, peers, state, place: "storage", storedBytes };
}
