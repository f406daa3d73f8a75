import { createReadStream, createWriteStream } from "node:fs";
import { chmod, link, lstat, mkdir, open, rename, rm, unlink, utimes } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import {
  type FileDescription,
  fileNameKey,
  numberedFileName,
  permissionBits,
  unpackPermissions,
} from "@warren/protocol";
import type { TreeEntry, TreeFile } from "@warren/protocol/tree";
import { storageErrorOf, systemCodeOf } from "../platform/disk-error.ts";

/** Where the bytes of a complete file are, and a folder on the same disk for what is made of them. */
export interface Received {
  readonly bytes: string;
  readonly workFolder: string;
}

/** How the folders of a target begin in which files are kept that are not whole: nothing received gets such a name. */
export const partsPrefix = ".warren-parts-";
/** How many names are tried before giving up. */
const numbersMax = 10_000;
const noLinks: ReadonlySet<string> = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"]);

/**
 * The folder that received files are put into. A file appears there under its name once it is whole; a name that is taken
 * gets a number, unless files may be overwritten.
 */
export class TargetFolder {
  readonly path: string;
  readonly #overwrites: boolean;

  constructor(path: string, { overwrites }: { readonly overwrites: boolean }) {
    this.path = path;
    this.#overwrites = overwrites;
  }

  /** Puts a file here. @returns its path. @throws WarrenError `storage-full` or `storage-failed` */
  async putFile(
    { fileName, lastModified, permissions }: FileDescription,
    { bytes }: Received,
  ): Promise<string> {
    return reported(async () => {
      await setTime(bytes, lastModified);
      await setPermissions(bytes, unpackPermissions(permissions).next().value);
      return this.#place(bytes, this.path, topName(fileName));
    });
  }

  /** Puts the files of a tree here. @returns the paths of its folder, or of its files. @throws as {@link putFile} */
  async putTree(
    { fileName, tree, permissions }: FileDescription,
    entries: readonly TreeEntry[],
    received: Received,
  ): Promise<readonly string[]> {
    return reported(async () => {
      const { workFolder } = received;
      await rm(workFolder, { recursive: true, force: true });
      await mkdir(workFolder, { recursive: true });
      const bits = unpackPermissions(permissions);
      for (const entry of entries)
        await unpack(entry, entry.kind === "file" ? bits.next().value : undefined, received);
      if (tree?.kind === "folder") return [await this.#placeFolder(entries, workFolder, topName(fileName))];
      return this.#placeTops(entries, workFolder);
    });
  }

  async #placeTops(entries: readonly TreeEntry[], workFolder: string): Promise<string[]> {
    const tops = new Map<string, TreeEntry[]>();
    for (const entry of entries) {
      const [top = "", ...rest] = entry.path.split("/");
      const inner = rest.length === 0 ? [] : [{ ...entry, path: rest.join("/") }];
      const isFile = entry.kind === "file" && rest.length === 0;
      tops.set(top, isFile ? [] : [...(tops.get(top) ?? []), ...inner]);
    }
    const placed: string[] = [];
    for (const [top, inner] of tops) {
      const made = join(workFolder, top);
      const isFolder = (await lstat(made)).isDirectory();
      placed.push(
        isFolder
          ? await this.#placeFolder(inner, made, topName(top))
          : await this.#place(made, this.path, topName(top)),
      );
    }
    return placed;
  }

  /** Moves a finished folder here; into one of the same name, file by file, if files may be overwritten. */
  async #placeFolder(entries: readonly TreeEntry[], made: string, name: string): Promise<string> {
    const existing = join(this.path, name);
    if (this.#overwrites && (await isRealFolder(existing))) {
      for (const { kind, path } of entries) {
        const names = path.split("/");
        const last = kind === "file" ? names.pop() : undefined;
        const folder = await enterFolders(existing, names);
        if (last !== undefined) await this.#place(join(made, path), folder, last);
      }
      return existing;
    }
    for (const candidate of candidatesFor(name)) {
      const target = join(this.path, candidate);
      try {
        // Renaming replaces an empty folder only, so one is made first: its name is then ours.
        await mkdir(target);
        await rename(made, target);
        return target;
      } catch (thrown) {
        if (systemCodeOf(thrown) !== "EEXIST") throw thrown;
      }
    }
    throw new Error(`every name like ${name} is taken`);
  }

  /** Moves a finished file into a folder under a name that is free. */
  async #place(made: string, folder: string, name: string): Promise<string> {
    if (this.#overwrites && !(await isRealFolder(join(folder, name)))) {
      await rename(made, join(folder, name));
      return join(folder, name);
    }
    for (const candidate of candidatesFor(name)) {
      const target = join(folder, candidate);
      try {
        await moveToFree(made, target);
        return target;
      } catch (thrown) {
        if (systemCodeOf(thrown) !== "EEXIST") throw thrown;
      }
    }
    throw new Error(`every name like ${name} is taken`);
  }
}

/** The name of something received in the target itself: one that could be that of a folder of parts gets a number. */
function topName(name: string): string {
  return fileNameKey(name).startsWith(partsPrefix) ? numberedFileName(name, 2) : name;
}

function* candidatesFor(name: string): Generator<string> {
  yield name;
  for (let number = 2; number < numbersMax; number++) yield numberedFileName(name, number);
}

/** Moves a file. @throws the error `EEXIST` of the file system if there is one: a link never replaces a file */
async function moveToFree(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (thrown) {
    const code = systemCodeOf(thrown) ?? "";
    if (noLinks.has(code)) {
      // A file system without links: the name is taken first, then replaced.
      await (await open(to, "wx")).close();
      await rename(from, to);
      return;
    }
    // A run that was killed here has left the file under both names.
    if (code !== "EEXIST" || !(await isSameFile(from, to))) throw thrown;
  }
  await unlink(from);
}

async function isSameFile(one: string, other: string): Promise<boolean> {
  const [left, right] = await Promise.all([lstat(one), lstat(other)]);
  return left.dev === right.dev && left.ino === right.ino;
}

async function unpack(
  entry: TreeEntry,
  permissions: number | undefined,
  { bytes, workFolder }: Received,
): Promise<void> {
  const path = join(workFolder, entry.path);
  if (entry.kind === "folder") {
    await mkdir(path, { recursive: true });
    return;
  }
  await mkdir(dirname(path), { recursive: true });
  const source = partOf(bytes, entry);
  if (source === null) await (await open(path, "wx")).close();
  else await pipeline(source, createWriteStream(path, { flags: "wx" }));
  await setTime(path, entry.lastModified);
  await setPermissions(path, permissions);
}

function partOf(bytes: string, { start, size }: TreeFile) {
  return size === 0 ? null : createReadStream(bytes, { start, end: start + size - 1 });
}

/** The folder under these names. @throws if one of them is a link, which could lead out of the target */
async function enterFolders(from: string, names: readonly string[]): Promise<string> {
  let folder = from;
  for (const name of names) {
    folder = join(folder, name);
    await mkdir(folder).catch((thrown: unknown) => {
      if (systemCodeOf(thrown) !== "EEXIST") throw thrown;
    });
    if (!(await isRealFolder(folder))) throw new Error(`${folder} is in the way`);
  }
  return folder;
}

async function isRealFolder(path: string): Promise<boolean> {
  return lstat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}

async function setTime(path: string, lastModified: number): Promise<void> {
  const seconds = lastModified / 1_000;
  await utimes(path, seconds, seconds);
}

/** As far as the umask allows, so that a sender cannot let everybody write. */
async function setPermissions(path: string, bits = 0o666): Promise<void> {
  await chmod(path, bits & permissionBits & ~process.umask());
}

async function reported<T>(action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (thrown) {
    throw storageErrorOf(thrown);
  }
}
