import type { ReadableFolder } from "../platform/folder-on-disk.ts";
import { droppedFolder, isFolder } from "./dropped-folder.ts";

/** What was dropped or pasted. */
export interface IncomingItems {
  readonly files: readonly File[];
  readonly folders: readonly ReadableFolder[];
}

/** A dropped item as far as it matters here; browsers without entries leave `webkitGetAsEntry` out. */
export interface DroppedItem {
  readonly kind: string;
  getAsFile(): File | null;
  webkitGetAsEntry?(): FileSystemEntry | null;
}

/** Tells files from folders. Call it in the very handler of the event: items are gone afterwards. */
export function sortItems(items: Iterable<DroppedItem>): IncomingItems {
  const files: File[] = [];
  const folders: ReadableFolder[] = [];
  for (const item of items) {
    if (item.kind !== "file") continue;
    const entry = item.webkitGetAsEntry?.() ?? null;
    if (entry && isFolder(entry)) {
      folders.push(droppedFolder(entry));
      continue;
    }
    const file = item.getAsFile();
    if (file !== null) files.push(file);
  }
  return { files, folders };
}

/** Whether there is nothing to send. */
export function isNothing({ files, folders }: IncomingItems): boolean {
  return files.length + folders.length === 0;
}

/**
 * The files and folders of a paste, or none when it is text. Text processors and tables put a picture of the text beside
 * it; file managers put the names beside the files; a picture copied from a page comes with its markup alone.
 */
export function pastedItems(data: {
  readonly items: Iterable<DroppedItem>;
  readonly types: readonly string[];
}): IncomingItems {
  const isRichText = data.types.includes("text/plain") && data.types.includes("text/html");
  return sortItems(isRichText ? [] : data.items);
}
