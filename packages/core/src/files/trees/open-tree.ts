import { bytesToHex } from "@noble/hashes/utils.js";
import { WarrenError } from "@warren/protocol";
import { type DescribedTree, decodeManifest, type TreeEntry, type TreeFile } from "@warren/protocol/tree";
import type { ReadManifest } from "../../ports/manifest-reader.ts";
import { digestOf } from "../digests/digests.ts";

/** A tree whose bytes are here. */
export interface OpenTree {
  /** In the order of their bytes. */
  readonly entries: readonly TreeEntry[];
  /** All of its bytes, the manifest first. */
  readonly stream: Blob;
  /** One file of the tree: a slice of the tree's bytes, not read. */
  fileOf(entry: TreeFile): File;
}

/** Opens a tree from all of its bytes. Rejects as {@link ReadManifest}. */
export async function openTree(
  stream: Blob,
  description: DescribedTree,
  read: ReadManifest,
): Promise<OpenTree> {
  const manifest = await stream.slice(0, description.tree?.manifestSize ?? 0).text();
  return {
    entries: await read(manifest, description),
    stream,
    fileOf: (entry) => fileInTree(stream, entry),
  };
}

/** One file of a tree whose entries are known: a slice of the tree's bytes, not read. */
export function fileInTree(stream: Blob, { path, start, size, lastModified, mimeType }: TreeFile): File {
  return new File([stream.slice(start, start + size)], nameOf(path), { type: mimeType, lastModified });
}

/** Reads a manifest in the calling thread, which a long one keeps busy. */
export const readManifest: ReadManifest = async (manifest, description) => {
  const digest = bytesToHex(await digestOf(new TextEncoder().encode(manifest)));
  if (digest !== description.tree?.manifestDigest)
    throw new WarrenError("tree-invalid", { issue: "another digest" });
  const decoded = decodeManifest(manifest, description);
  if (!decoded.ok) throw decoded.error;
  return decoded.value.entries;
};

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** How many files are tried at a time. */
const batchFiles = 64;

/**
 * The first file of a picked tree that can no longer be read, because it was removed or changed on disk; null if none.
 */
export async function findUnreadable({ entries, fileOf }: OpenTree): Promise<TreeFile | null> {
  const files = entries.filter((entry) => entry.kind === "file").filter(({ size }) => size > 0);
  for (let start = 0; start < files.length; start += batchFiles) {
    const tried = await Promise.all(
      files.slice(start, start + batchFiles).map(async (file) => {
        const isReadable = await fileOf(file)
          .slice(0, 1)
          .arrayBuffer()
          .then(
            () => true,
            () => false,
          );
        return isReadable ? null : file;
      }),
    );
    const unreadable = tried.find((file) => file !== null);
    if (unreadable) return unreadable;
  }
  return null;
}
