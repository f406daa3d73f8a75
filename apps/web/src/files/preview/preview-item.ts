import type { Warren } from "@warren/core";
import { contentSizeOf, type FileDescription } from "@warren/protocol";
import type { TreeFile } from "@warren/protocol/tree";
import { openEntry } from "../tree/open-entry.ts";
import { baseName } from "../tree/tree-nodes.ts";

/** A previewable file: one of this browser's, or one within a tree of them. */
export interface PreviewItem {
  /** Unique among the items. */
  readonly key: string;
  readonly file: FileDescription;
  /** The entry of a tree; null for the file itself. */
  readonly entry: TreeFile | null;
  readonly fileName: string;
  readonly sizeBytes: number;
  readonly mimeType: string;
}

/** The preview item of one of this browser's files. */
export function storedItem(file: FileDescription): PreviewItem {
  const { fid, fileName, mimeType } = file;
  return { key: fid, file, entry: null, fileName, sizeBytes: contentSizeOf(file), mimeType };
}

/** The preview item of a file within a tree. */
export function entryItem(file: FileDescription, entry: TreeFile): PreviewItem {
  const { path, size, mimeType } = entry;
  const fileName = baseName(path);
  return { key: `${file.fid}/${path}`, file, entry, fileName, sizeBytes: size, mimeType };
}

/** Opens the file without reading it; null if it is not in this browser. */
export function openItem(
  files: Warren["files"],
  { file: { fid }, entry }: PreviewItem,
): Promise<File | null> {
  return entry === null ? files.open(fid) : openEntry(files, fid, entry);
}
