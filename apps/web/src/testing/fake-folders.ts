import { SerialQueue } from "@warren/core";
import type { FolderItem, ReadableFolder, WritableFolder } from "../platform/files/folder-on-disk.ts";

/** Folders and files by name; null is an unreadable file. */
export interface FolderContent {
  readonly [name: string]: FolderContent | File | null;
}

/** A readable folder on disk. */
export function fakeFolder(name: string, content: FolderContent): ReadableFolder {
  const items = Object.entries(content).map(([inner, found]): FolderItem => {
    if (found === null || found instanceof File)
      return { kind: "file", name: inner, open: async () => found ?? Promise.reject(new Error("gone")) };
    return { kind: "folder", folder: fakeFolder(inner, found) };
  });
  return { name, list: async () => items };
}

/** The same folder as a dropped `FileSystemEntry`, which lists at most two entries at a time. */
export function fakeEntry(name: string, content: FolderContent): FileSystemDirectoryEntry {
  const entries = Object.entries(content).map(([inner, found]) =>
    found === null || found instanceof File
      ? {
          ...{ name: inner, isFile: true, isDirectory: false },
          file: (resolve: (file: File) => void, reject: (error: Error) => void) =>
            found ? resolve(found) : reject(new Error("gone")),
        }
      : fakeEntry(inner, found),
  );
  let given = 0;
  const createReader = () => ({
    readEntries: (resolve: (batch: readonly object[]) => void) => {
      resolve(entries.slice(given, given + 2));
      given += 2;
    },
  });
  // The rest of the interface is not used here.
  return { name, isFile: false, isDirectory: true, createReader } as unknown as FileSystemDirectoryEntry;
}

/** A writable folder on disk, with its content by path. */
export class FakeTarget implements WritableFolder {
  readonly files = new Map<string, Blob>();
  readonly folders = new Set<string>();
  readonly #prefix: string;
  readonly #root: FakeTarget;
  readonly #writing = new SerialQueue();

  constructor(root?: FakeTarget, prefix = "") {
    this.#root = root ?? this;
    this.#prefix = prefix;
  }

  async has(name: string): Promise<boolean> {
    const path = this.#prefix + name;
    return this.#root.files.has(path) || this.#root.folders.has(path);
  }

  async folder(name: string): Promise<WritableFolder> {
    this.#root.folders.add(this.#prefix + name);
    return new FakeTarget(this.#root, `${this.#prefix}${name}/`);
  }

  async write(name: string, content: Blob): Promise<boolean> {
    if (name.endsWith(".lnk")) return false;
    const path = this.#prefix + name;
    if (this.#root.files.has(path)) throw new Error(`${path} is written over`);
    this.#root.files.set(path, content);
    return true;
  }

  exclusively<T>(work: () => Promise<T>): Promise<T> {
    return this.#root.#writing.run(work);
  }
}
