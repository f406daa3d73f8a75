/** What was dropped or pasted: the files, and the names of folders, which are no files. */
export interface IncomingItems {
  readonly files: readonly File[];
  readonly folders: readonly string[];
}

/** A dropped item as far as it matters here; browsers without entries leave `webkitGetAsEntry` out. */
export interface DroppedItem {
  readonly kind: string;
  getAsFile(): File | null;
  webkitGetAsEntry?(): { readonly isDirectory: boolean; readonly name: string } | null;
}

/** Tells files from folders. Call it in the very handler of the event: items are gone afterwards. */
export function sortItems(items: Iterable<DroppedItem>): IncomingItems {
  const files: File[] = [];
  const folders: string[] = [];
  for (const item of items) {
    if (item.kind !== "file") continue;
    const entry = item.webkitGetAsEntry?.() ?? null;
    if (entry?.isDirectory) {
      folders.push(entry.name);
      continue;
    }
    const file = item.getAsFile();
    if (file !== null) files.push(file);
  }
  return { files, folders };
}

/**
 * The files of a paste, or none when it is text. Text processors and tables put a picture of the text beside it;
 * file managers put the names beside the files; a picture copied from a page comes with its markup alone.
 */
export function pastedFiles(data: Pick<DataTransfer, "files" | "types">): readonly File[] {
  const isRichText = data.types.includes("text/plain") && data.types.includes("text/html");
  return isRichText ? [] : [...data.files];
}
