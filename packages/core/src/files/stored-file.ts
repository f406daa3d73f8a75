import { type ClientId, chunkCountOf, type FileDescription, type FileId } from "@warren/protocol";
import type { FileStorage } from "../ports/file-storage.ts";
import { bytesOfChunks } from "./file-layout.ts";
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

/** The bytes of a file that rest in storage, as the digests beside them tell. */
export async function storedBytesOf(
  { description, state }: StoredRecord,
  storage: Pick<FileStorage, "readDigests">,
): Promise<number> {
  const { fid, fileSize, chunkSize } = description;
  if (state === "complete") return fileSize;
  const digests = await storage.readDigests(fid);
  return bytesOfChunks(description, digests.size, digests.has(chunkCountOf(fileSize, chunkSize) - 1));
}
