import type { FolderItem, ReadableFolder, WritableFile, WritableFolder } from "./folder-on-disk.ts";
import { pickByInput } from "./pick-by-input.ts";

declare global {
  interface Window {
    /** Only in Chromium, and missing from the DOM types. */
    showDirectoryPicker?: (options: {
      readonly mode: "read" | "readwrite";
    }) => Promise<FileSystemDirectoryHandle>;
    /** As above. */
    showSaveFilePicker?: (options: { readonly suggestedName: string }) => Promise<FileSystemFileHandle>;
  }
}

/** Opens a picker for a folder to read; null if the user cancels it. */
export async function pickFolder(): Promise<ReadableFolder | null> {
  if (typeof window.showDirectoryPicker !== "function")
    return folderOfFiles(await pickByInput({ folder: true }));
  const handle = await picked(window.showDirectoryPicker({ mode: "read" }));
  return handle && readable(handle);
}

/** Opens a picker for a folder to write to; null if the user cancels it. Only for browsers that have one. */
export async function pickTargetFolder(): Promise<WritableFolder | null> {
  const handle = await picked(window.showDirectoryPicker?.({ mode: "readwrite" }));
  return handle && writable(handle);
}

/** Opens a picker for where to save a file; null if the user cancels it. Only for browsers that have one. */
export async function pickTargetFile(suggestedName: string): Promise<WritableFile | null> {
  const handle = await picked(window.showSaveFilePicker?.({ suggestedName }));
  return (
    handle && {
      name: handle.name,
      write: async (content) => content.stream().pipeTo(await handle.createWritable()),
      discard: async () => {
        if ((await handle.getFile()).size === 0) await handle.remove?.();
      },
    }
  );
}

/** What the user picks; null if they cancel. */
async function picked<Handle>(picking: Promise<Handle> | undefined): Promise<Handle | null> {
  try {
    return (await picking) ?? null;
  } catch (failure) {
    if (nameOf(failure) === "AbortError") return null;
    throw failure;
  }
}

/** A folder from an input's files, each with its path below the folder. */
export function folderOfFiles(files: readonly File[]): ReadableFolder | null {
  const name = files[0]?.webkitRelativePath.split("/")[0];
  if (!name) return null;
  return folderAt(
    name,
    files.map((file) => ({ file, path: file.webkitRelativePath.split("/").slice(1) })),
  );
}

function folderAt(
  name: string,
  files: readonly { readonly file: File; readonly path: readonly string[] }[],
): ReadableFolder {
  return {
    name,
    list: async () => {
      const items: FolderItem[] = [];
      const inner = new Map<string, { file: File; path: readonly string[] }[]>();
      for (const { file, path } of files) {
        const [first = file.name, ...rest] = path;
        if (rest.length === 0) {
          items.push({ kind: "file", name: first, open: async () => file });
          continue;
        }
        const below = inner.get(first) ?? [];
        below.push({ file, path: rest });
        inner.set(first, below);
      }
      for (const [folder, below] of inner) items.push({ kind: "folder", folder: folderAt(folder, below) });
      return items;
    },
  };
}

function readable(handle: FileSystemDirectoryHandle): ReadableFolder {
  return {
    name: handle.name,
    list: async () => {
      const items: FolderItem[] = [];
      for await (const inner of handle.values()) items.push(itemOf(inner));
      return items;
    },
  };
}

function itemOf(handle: FileSystemDirectoryHandle | FileSystemFileHandle): FolderItem {
  return handle.kind === "directory"
    ? { kind: "folder", folder: readable(handle) }
    : { kind: "file", name: handle.name, open: () => handle.getFile() };
}

function writable(handle: FileSystemDirectoryHandle): WritableFolder {
  return {
    has: async (name) =>
      (await isThere(handle.getFileHandle(name))) || isThere(handle.getDirectoryHandle(name)),
    folder: async (name) => writable(await handle.getDirectoryHandle(name, { create: true })),
    write: async (name, content) => {
      let file: FileSystemFileHandle;
      try {
        file = await handle.getFileHandle(name, { create: true });
      } catch (failure) {
        // Names that a system may treat as more than a file, such as `desktop.ini`.
        if (nameOf(failure) === "TypeError") return false;
        throw failure;
      }
      await content.stream().pipeTo(await file.createWritable());
      return true;
    },
    // Wherever there is a folder picker, there are locks.
    exclusively: (work) => navigator.locks.request("writing to a folder", work),
  };
}

async function isThere(lookup: Promise<unknown>): Promise<boolean> {
  try {
    await lookup;
    return true;
  } catch (failure) {
    const name = nameOf(failure);
    // A mismatch is a folder in place of a file, or vice versa. A name that is not allowed cannot exist.
    if (name === "TypeMismatchError") return true;
    if (name === "NotFoundError" || name === "TypeError") return false;
    throw failure;
  }
}

function nameOf(failure: unknown): string | null {
  return failure instanceof Error ? failure.name : null;
}
