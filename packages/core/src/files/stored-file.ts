import { type ClientId, chunkCountOf, type FileDescription, type FileId } from "@warren/protocol";
import type { FileStorage } from "../ports/file-storage.ts";
import type { ReadManifest } from "../ports/manifest-reader.ts";
import { bytesOfChunks } from "./file-layout.ts";
import type { KeptFileRecord } from "./file-record.ts";
import { type FileSource, lazySource } from "./file-source.ts";
import { openTree } from "./trees/open-tree.ts";

/** A complete or partial file in this browser. */
export interface StoredFile {
  readonly description: FileDescription;
  /** When it was added to this browser, ms since the epoch. */
  readonly createdAt: number;
  readonly direction: "sent" | "received";
  /** The clients it was sent to or received from. */
  readonly peers: readonly ClientId[];
  /** Whether a person has shared it with the room. */
  readonly shared: boolean;
  /** Whether a person has saved it to their disk. */
  readonly saved: boolean;
  /** The name that the browser gave it there; null if it has its own. */
  readonly savedAs: string | null;
  /** `missing`: it was complete, and its bytes have disappeared from storage. */
  readonly state: "incomplete" | "merging" | "complete" | "missing";
  /** `page`: a file picked here, gone when the page closes; `storage`: stored in this browser. */
  readonly location: "page" | "storage";
  /** Stored bytes; updated when a transfer ends, not while it runs. */
  readonly storedBytes: number;
}

/** All files by id. */
export type LibraryState = ReadonlyMap<FileId, StoredFile>;

/** A file as described by its record. */
export function storedFileOf(record: KeptFileRecord, storedBytes: number): StoredFile {
  const { description, createdAt, direction, peers, shared, saved, savedAs, state } = record;
  const kept = { description, createdAt, direction, peers, shared, saved, savedAs, state };
  return { ...kept, location: "storage", storedBytes };
}

/** The record of a file that is about to be received from a client. */
export function recordOf(description: FileDescription, from: ClientId, createdAt: number): KeptFileRecord {
  return {
    description,
    createdAt,
    direction: "received",
    peers: [from],
    shared: false,
    saved: false,
    savedAs: null,
    state: "incomplete",
  };
}

/** Reads a complete file from storage with its name, type and time; null if its bytes are gone. */
export async function readStored(
  { description }: KeptFileRecord,
  storage: Pick<FileStorage, "readFile">,
): Promise<File | null> {
  const { fid, fileName, mimeType, lastModified } = description;
  const blob = await storage.readFile(fid, description);
  return blob && new File([blob], fileName, { type: mimeType, lastModified });
}

/** The bytes of a complete file in storage, for sending. */
export function storedSourceOf(
  { description, root }: Extract<KeptFileRecord, { state: "complete" }>,
  open: () => Promise<File | null>,
): FileSource {
  return lazySource({ sizeBytes: description.fileSize, location: "storage", root, open });
}

/** The number of stored bytes of a file, derived from the digests beside them. */
export async function storedBytesOf(
  { description, state }: KeptFileRecord,
  storage: Pick<FileStorage, "readDigests">,
): Promise<number> {
  const { fid, fileSize, chunkSize } = description;
  if (state === "complete") return fileSize;
  if (state === "missing") return 0;
  const digests = await storage.readDigests(fid);
  return bytesOfChunks(description, digests.size, digests.has(chunkCountOf(fileSize, chunkSize) - 1));
}

/** Checks the stored bytes of a tree. Rejects as {@link ReadManifest}. */
export async function checkStoredTree(
  description: FileDescription,
  storage: Pick<FileStorage, "readFile">,
  read: ReadManifest,
): Promise<void> {
  const stored = await storage.readFile(description.fid, description);
  await openTree(stored ?? new Blob(), description, read);
}
