import type { Bytes } from "@warren/core";
import type { DBSchema } from "idb";
import { IndexedDatabase } from "../storage/indexed-database.ts";

type ChunkKey = [fid: string, chunk: number];

/**
 * Chunks and complete files are Blobs: browsers store those as separate files, so reading one costs no
 * memory.
 */
interface FilesSchema extends DBSchema {
  records: { key: string; value: unknown };
  chunks: { key: ChunkKey; value: Blob };
  digests: { key: ChunkKey; value: Bytes };
  files: { key: string; value: Blob };
}

/** The database of files, for browsers without a private file system. */
export type FileDatabase = IndexedDatabase<FilesSchema>;

/** Opens the database of this name on first use. */
export function openFileDatabase(name: string): FileDatabase {
  return new IndexedDatabase<FilesSchema>(name, 1, (database) => {
    for (const store of ["records", "chunks", "digests", "files"] as const) database.createObjectStore(store);
  });
}

/** Every chunk of a file: an array without an index sorts before it, one with an array after it. */
export const chunksOf = (fid: string): IDBKeyRange => IDBKeyRange.bound([fid], [fid, []]);
