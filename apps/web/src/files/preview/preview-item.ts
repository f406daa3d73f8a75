import type { Warren } from "@warren/core";
import { contentSizeOf, type FileDescription } from "@warren/protocol";
import type { TreeFile } from "@warren/protocol/tree";
import { openEntry } from "../tree/tree-entries.ts";

/** A file that can be shown: one of this browser's, or one within a tree of them. */
export interface PreviewItem {
  /** Tells it from all others. */
  readonly key: string;
  readonly file: FileDescription;
  /** Which of the files in it; null for itself. */
  readonly entry: TreeFile | null;
  readonly fileName: string;
  readonly sizeBytes: number;
  readonly mimeType: string;
}

/** One of this browser's files, to be shown. */
export function keptItem(file: FileDescription): PreviewItem {
  const { fid, fileName, mimeType } = file;
  return { key: fid, file, entry: null, fileName, sizeBytes: contentSizeOf(file), mimeType };
}

/** A file within a tree of this browser, to be shown. */
export function entryItem(file: FileDescription, entry: TreeFile): PreviewItem {
  const { path, size, mimeType } = entry;
  const fileName = path.slice(path.lastIndexOf("/") + 1);
  return { key: `${file.fid}/${path}`, file, entry, fileName, sizeBytes: size, mimeType };
}

/** The file itself, of which nothing is read yet; null where it is not here. */
export function openItem(
  files: Warren["files"],
  { file: { fid }, entry }: PreviewItem,
): Promise<File | null> {
  return entry === null ? files.open(fid) : openEntry(files, fid, entry);
}
