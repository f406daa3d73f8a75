import { fileInTree, type Warren } from "@warren/core";
import type { FileId } from "@warren/protocol";
import type { TreeFile } from "@warren/protocol/tree";

/** Opens a single file of a tree; null if the tree's bytes are not here. */
export async function openEntry(files: Warren["files"], fid: FileId, entry: TreeFile): Promise<File | null> {
  const stream = await files.open(fid);
  return stream && fileInTree(stream, entry);
}
