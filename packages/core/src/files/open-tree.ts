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
  /** One file of the tree: a slice of the tree's bytes, not read. */
  fileOf(entry: TreeFile): File;
}

type Described = Pick<FileDescription, "fileSize" | "tree">;

/** Opens a tree from all of its bytes. @throws WarrenError `tree-invalid` when they do not match the description. */
export async function openTree(stream: Blob, description: Described): Promise<OpenTree> {
  const manifest = await stream.slice(0, description.tree?.manifestSize ?? 0).text();
  const entries = await readManifest(manifest, description);
  return {
    entries,
    stream,
    fileOf: (entry) => fileInTree(stream, entry),
  };
}

/** One file of a tree whose entries are known: a slice of the tree's bytes, not read. */
export function fileInTree(stream: Blob, { path, start, size, lastModified, mimeType }: TreeFile): File {
  return new File([stream.slice(start, start + size)], nameOf(path), { type: mimeType, lastModified });
}

/** The entries of a manifest. @throws WarrenError `tree-invalid` when it does not match the description. */
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
