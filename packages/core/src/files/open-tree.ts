import { bytesToHex } from "@noble/hashes/utils.js";
import { type FileDescription, WarrenError } from "@warren/protocol";
import { decodeManifest, type TreeEntry, type TreeFile } from "@warren/protocol/tree";
import { digestOf } from "./digests.ts";

/** A tree whose bytes are here. */
export interface OpenTree {
  /** In the order of their bytes. */
  readonly entries: readonly TreeEntry[];
  /** All of its bytes, the manifest first. */
  readonly stream: Blob;
  /** A file of the tree by itself: a piece of the tree's bytes, of which nothing is read. */
  fileOf(entry: TreeFile): File;
}

type Described = Pick<FileDescription, "fileSize" | "tree">;

/** Reads a tree from all of its bytes. @throws WarrenError `tree-invalid` where they are not what was described. */
export async function openTree(stream: Blob, description: Described): Promise<OpenTree> {
  const manifest = await stream.slice(0, description.tree?.manifestSize ?? 0).text();
  const entries = await readManifest(manifest, description);
  return {
    entries,
    stream,
    fileOf: (entry) => fileInTree(stream, entry),
  };
}

/** A file of a tree whose entries are known already: a piece of the tree's bytes, of which nothing is read. */
export function fileInTree(stream: Blob, { path, start, size, lastModified, mimeType }: TreeFile): File {
  return new File([stream.slice(start, start + size)], nameOf(path), { type: mimeType, lastModified });
}

/** The entries of a manifest. @throws WarrenError `tree-invalid` where it is not the one that was described. */
export async function readManifest(manifest: string, description: Described): Promise<readonly TreeEntry[]> {
  const digest = bytesToHex(await digestOf(new TextEncoder().encode(manifest)));
  if (digest !== description.tree?.manifestDigest)
    throw new WarrenError("tree-invalid", { issue: "another digest" });
  const decoded = decodeManifest(manifest, description);
  if (!decoded.ok) throw decoded.error;
  return decoded.value;
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
