import type { FolderItem, ReadableFolder } from "../platform/folder-on-disk.ts";

/** A dropped or pasted folder. */
export function droppedFolder(entry: FileSystemDirectoryEntry): ReadableFolder {
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
export function isFolder(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory;
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}
