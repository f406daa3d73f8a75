import { contentSizeOf, type FileDescription, type FileId } from "@warren/protocol";

/** A file that can be shown: one of this browser by its id, or one at hand. */
export interface PreviewItem {
  readonly of: FileId | File;
  readonly fileName: string;
  readonly sizeBytes: number;
  readonly mimeType: string;
}

/** One of this browser's files, to be shown. */
export function keptItem(file: FileDescription): PreviewItem {
  const { fid, fileName, mimeType } = file;
  return { of: fid, fileName, sizeBytes: contentSizeOf(file), mimeType };
}

/** A file at hand, to be shown. */
export function looseItem(file: File): PreviewItem {
  return { of: file, fileName: file.name, sizeBytes: file.size, mimeType: file.type };
}
