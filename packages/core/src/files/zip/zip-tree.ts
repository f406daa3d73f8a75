import { WarrenError } from "@warren/protocol";
import type { TreeFile } from "@warren/protocol/tree";
import type { OpenTree } from "../trees/open-tree.ts";
import { crc32, localHeader, type PlacedZipEntry, type ZipEntry, zipEnd } from "./zip-records.ts";

/** The size of one read for the checksums. */
const sliceBytes = 2 * 1024 * 1024;

/** Options of a zip. */
export interface ZipTreeOptions {
  /** The folder that contains all entries; null for none. */
  readonly folder: string | null;
  /** Called with the number of files read. */
  readonly onProgress?: (doneFiles: number) => void;
}

/**
 * A zip of a tree, stored uncompressed. Its bytes are read once, for the checksums; the zip is composed of slices of
 * them with records between, so memory use is constant for any size.
 * @throws WarrenError `source-missing` when the bytes cannot be read.
 */
export async function zipTree(tree: OpenTree, { folder, onProgress }: ZipTreeOptions): Promise<Blob> {
  const checksums = await checksumsOf(tree, onProgress);
  const parts: BlobPart[] = [];
  const placed: PlacedZipEntry[] = [];
  let offset = 0;
  let latest = 0;
  const put = (entry: ZipEntry, content?: Blob): void => {
    const header = localHeader(entry);
    placed.push({ ...entry, offset });
    parts.push(header);
    if (content) parts.push(content);
    offset += header.byteLength + entry.size;
  };
  const within = (path: string): string => (folder === null ? path : `${folder}/${path}`);
  for (const entry of tree.entries) {
    if (entry.kind !== "file") continue;
    const { path, size, lastModified } = entry;
    latest = Math.max(latest, lastModified);
    put({ path: within(path), size, lastModified, crc: checksums.get(entry) ?? 0 }, tree.fileOf(entry));
  }
  const emptyFolders = tree.entries.filter(({ kind }) => kind === "folder").map(({ path }) => within(path));
  // An empty tree folder is an empty folder too.
  if (folder !== null && tree.entries.length === 0) emptyFolders.push(folder);
  for (const path of emptyFolders) put({ path: `${path}/`, size: 0, crc: 0, lastModified: latest });
  parts.push(zipEnd(placed, offset));
  return new Blob(parts, { type: "application/zip" });
}

/** Reads a tree from start to end in large slices, because reading many small files one by one is slow. */
async function checksumsOf(
  { entries, stream }: OpenTree,
  onProgress: ZipTreeOptions["onProgress"],
): Promise<Map<TreeFile, number>> {
  const checksums = new Map<TreeFile, number>();
  const files = entries.filter((entry) => entry.kind === "file");
  let crc = 0;
  let at = files[0]?.start ?? stream.size;
  let bytes = new Uint8Array();
  let used = 0;
  for (const file of files) {
    const end = file.start + file.size;
    while (at < end) {
      if (used === bytes.byteLength) {
        bytes = await read(stream, at, Math.min(at + sliceBytes, stream.size));
        used = 0;
        onProgress?.(checksums.size);
      }
      const length = Math.min(end - at, bytes.byteLength - used);
      crc = crc32(bytes.subarray(used, used + length), crc);
      at += length;
      used += length;
    }
    checksums.set(file, crc);
    crc = 0;
  }
  onProgress?.(checksums.size);
  return checksums;
}

async function read(stream: Blob, start: number, end: number): Promise<Uint8Array<ArrayBuffer>> {
  try {
    const bytes = new Uint8Array(await stream.slice(start, end).arrayBuffer());
    if (bytes.byteLength === end - start) return bytes;
  } catch (cause) {
    throw new WarrenError("source-missing", {}, { cause });
  }
  throw new WarrenError("source-missing");
}
