import type { PickedFile, PickedTree } from "@warren/core";
import { limits, WarrenError } from "@warren/protocol";
import type { FolderItem, ReadableFolder } from "../../platform/files/folder-on-disk.ts";

/** How many files are opened at a time. */
const batchFiles = 64;

/** The content of a folder. */
interface FoundFolder {
  readonly tree: PickedTree;
  /** The paths of files that disappeared or could not be read. */
  readonly leftOut: readonly string[];
}

/**
 * Lists everything in a folder, and leaves out what cannot be read.
 * @throws WarrenError `source-missing` or `tree-too-large`.
 */
export async function readFolder(folder: ReadableFolder): Promise<FoundFolder> {
  const files: PickedFile[] = [];
  const emptyFolders: string[] = [];
  const leftOut: string[] = [];

  const open = async (item: Extract<FolderItem, { kind: "file" }>, path: string): Promise<void> => {
    try {
      const file = await item.open();
      // Browsers open a file without the permission to read it, and one that fails would stop the whole folder.
      await file.slice(0, 1).arrayBuffer();
      files.push({ path, file });
    } catch {
      leftOut.push(path);
    }
  };

  const walk = async (inner: ReadableFolder, prefix: string): Promise<void> => {
    const items = await inner.list();
    if (items.length === 0 && prefix !== "") emptyFolders.push(prefix.slice(0, -1));
    const fileItems = items.filter((item) => item.kind === "file");
    if (files.length + emptyFolders.length + fileItems.length > limits.treeEntries)
      throw new WarrenError("tree-too-large", { limit: limits.treeEntries });
    for (let start = 0; start < fileItems.length; start += batchFiles)
      await Promise.all(
        fileItems.slice(start, start + batchFiles).map((item) => open(item, prefix + item.name)),
      );
    for (const item of items) {
      if (item.kind !== "folder") continue;
      const path = prefix + item.folder.name;
      try {
        await walk(item.folder, `${path}/`);
      } catch (failure) {
        if (failure instanceof WarrenError) throw failure;
        leftOut.push(path);
      }
    }
  };

  try {
    await walk(folder, "");
  } catch (cause) {
    throw cause instanceof WarrenError ? cause : new WarrenError("source-missing", {}, { cause });
  }
  return { tree: { kind: "folder", name: folder.name, files, emptyFolders }, leftOut };
}
