import type { FolderItem, ReadableFolder } from "./folder-on-disk.ts";

/** Dropped or pasted items. */
export interface IncomingItems {
  readonly files: readonly File[];
  readonly folders: readonly ReadableFolder[];
}

/** The used part of a DataTransferItem; browsers without entries lack `webkitGetAsEntry`. */
export interface DroppedItem {
  readonly kind: string;
  getAsFile(): File | null;
  webkitGetAsEntry?(): FileSystemEntry | null;
}

/**
 * Separates files from folders. Must run synchronously in the event handler: the items are invalid
 * afterwards.
 */
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

/** A dropped or pasted folder. */
function droppedFolder(entry: FileSystemDirectoryEntry): ReadableFolder {
  return { name: entry.name, list: () => listOf(entry.createReader()) };
}

/** A reader returns about a hundred entries per call and signals the end with an empty list. */
async function listOf(reader: FileSystemDirectoryReader): Promise<readonly FolderItem[]> {
  const items: FolderItem[] = [];
  for (;;) {
    const batch = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (batch.length === 0) return items;
    for (const entry of batch) {
      if (isFolder(entry)) items.push({ kind: "folder", folder: droppedFolder(entry) });
      else if (isFile(entry)) items.push({ kind: "file", name: entry.name, open: () => fileOf(entry) });
    }
  }
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject));
}

/** Whether an entry is a folder. */
function isFolder(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory;
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}
