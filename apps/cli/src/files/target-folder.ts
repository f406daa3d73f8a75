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
import { flushFiles, flushFolders } from "../platform/durable.ts";
import { exists } from "../platform/exists.ts";
import { Placements } from "./placements.ts";

/** Where the bytes of a complete file are, a folder on the same disk for what is made of them, and the notes of their names. */
export interface Received {
  readonly bytes: string;
  readonly workFolder: string;
  readonly placements: string;
}

/** How the folders of a target begin in which files are kept that are not whole: nothing received gets such a name. */
export const partsPrefix = ".warren-parts-";
/** How many names are tried before giving up. */
const numbersMax = 10_000;
/** What a move says if the name is taken. */
const taken: ReadonlySet<string> = new Set(["EEXIST", "ENOTEMPTY"]);
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

  /** Puts a file here, or finds where a run that was killed has put it. @returns its path. @throws WarrenError `storage-full` or `storage-failed` */
  async putFile(
    { fileName, lastModified, permissions }: FileDescription,
    { bytes, placements: path }: Received,
  ): Promise<string> {
    return reported(async () => {
      const placements = Placements.at(path) ?? Placements.begin(path);
      if (await exists(bytes)) {
        await setTime(bytes, lastModified);
        await setPermissions(bytes, unpackPermissions(permissions).next().value);
      }
      const [placed = ""] = await this.#place(
        [{ made: bytes, folder: this.path, name: topName(fileName) }],
        placements,
      );
      await placements.settle();
      return placed;
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
      const placements =
        Placements.at(received.placements) ?? (await unpackAll(entries, permissions, received));
      const placed =
        tree?.kind === "folder"
          ? [await this.#placeFolder(entries, workFolder, topName(fileName), placements)]
          : await this.#placeTops(entries, workFolder, placements);
      await placements.settle();
      return placed;
    });
  }

  async #placeTops(
    entries: readonly TreeEntry[],
    workFolder: string,
    placements: Placements,
  ): Promise<string[]> {
    const tops = new Map<string, { readonly isFolder: boolean; readonly inner: readonly TreeEntry[] }>();
    for (const entry of entries) {
      const [top = "", ...rest] = entry.path.split("/");
      const inner = rest.length === 0 ? [] : [{ ...entry, path: rest.join("/") }];
      const isFolder = entry.kind === "folder" || rest.length > 0;
      tops.set(top, { isFolder, inner: [...(tops.get(top)?.inner ?? []), ...inner] });
    }
    const files = [...tops].filter(([, { isFolder }]) => !isFolder).map(([top]) => top);
    const partOf = (top: string) => ({ made: join(workFolder, top), folder: this.path, name: topName(top) });
    const paths = await this.#place(files.map(partOf), placements);
    const placed = new Map(files.map((top, index) => [top, paths[index] ?? ""]));
    for (const [top, { isFolder, inner }] of tops)
      if (isFolder)
        placed.set(top, await this.#placeFolder(inner, join(workFolder, top), topName(top), placements));
    return [...tops.keys()].map((top) => placed.get(top) ?? "");
  }

  /** Moves a finished folder here; into one of the same name, file by file, if files may be overwritten. */
  async #placeFolder(
    entries: readonly TreeEntry[],
    made: string,
    name: string,
    placements: Placements,
  ): Promise<string> {
    const noted = placements.targetOf(made);
    if (noted !== null && !(await exists(made))) return noted;
    const existing = join(this.path, name);
    if (this.#overwrites && (await isRealFolder(existing))) {
      const parts: Part[] = [];
      for (const { kind, path } of entries) {
        const names = path.split("/");
        const name = kind === "file" ? names.pop() : undefined;
        const folder = await enterFolders(existing, names);
        if (name !== undefined) parts.push({ made: join(made, path), folder, name });
      }
      await this.#place(parts, placements);
      return existing;
    }
    return underFreeName(this.path, name, async (target) => {
      // Renaming replaces an empty folder, and fails for everything else that is there.
      if (await exists(target)) return false;
      placements.note([[made, target]]);
      await rename(made, target);
      return true;
    });
  }

  /** Moves finished files, each under a name that is free, with one note of all. @returns their paths */
  async #place(parts: readonly Part[], placements: Placements): Promise<string[]> {
    const moves: Move[] = [];
    const paths: string[] = [];
    for (const part of parts) {
      const { made, folder, name } = part;
      const noted = placements.targetOf(made);
      const existing = join(folder, name);
      if (noted !== null && !(await exists(made))) paths.push(noted);
      else if (this.#overwrites && !(await isRealFolder(existing))) {
        moves.push({ made, target: existing, complete: () => rename(made, existing) });
        paths.push(existing);
      } else {
        const begin = async (target: string) => {
          const move = await beginMove(made, target, placements);
          if (move !== null) moves.push(move);
          return move !== null;
        };
        paths.push(await underFreeName(folder, name, begin));
      }
    }
    placements.note(moves.map(({ made, target }) => [made, target]));
    for (const { complete } of moves) await complete();
    return paths;
  }
}

/** A finished file, and where it belongs. */
interface Part {
  readonly made: string;
  readonly folder: string;
  readonly name: string;
}

/** What is left to do once it is noted where the file is. */
interface Move {
  readonly made: string;
  readonly target: string;
  readonly complete: () => Promise<void>;
}

/** The first of the names that nothing has yet. @param move moves something there; false if there is something */
async function underFreeName(
  folder: string,
  name: string,
  move: (target: string) => Promise<boolean>,
): Promise<string> {
  for (const candidate of candidatesFor(name)) {
    const target = join(folder, candidate);
    try {
      if (await move(target)) return target;
    } catch (thrown) {
      if (!taken.has(systemCodeOf(thrown) ?? "")) throw thrown;
    }
  }
  throw new Error(`every name like ${name} is taken`);
}

/** The name of something received in the target itself: one that could be that of a folder of parts gets a number. */
function topName(name: string): string {
  return fileNameKey(name).startsWith(partsPrefix) ? numberedFileName(name, 2) : name;
}

function* candidatesFor(name: string): Generator<string> {
  yield name;
  for (let number = 2; number < numbersMax; number++) yield numberedFileName(name, number);
}

/** Gives a file its name. @returns null if that is taken: a link never replaces a file */
async function beginMove(made: string, target: string, placements: Placements): Promise<Move | null> {
  try {
    await link(made, target);
  } catch (thrown) {
    const code = systemCodeOf(thrown) ?? "";
    if (noLinks.has(code)) return moveWithoutLinks(made, target, placements);
    // A run that was killed here has left the file under both names.
    if (code !== "EEXIST" || !(await isSameFile(made, target))) throw thrown;
  }
  return { made, target, complete: () => unlink(made) };
}

/** On a file system without links the name is taken first, then replaced. */
async function moveWithoutLinks(made: string, target: string, placements: Placements): Promise<Move | null> {
  // A run that was killed here has left the file that takes the name.
  const isOurs = placements.targetOf(made) === target && (await isEmptyFile(target));
  if (!isOurs) {
    if (await exists(target)) return null;
    placements.note([[made, target]]);
    await (await open(target, "wx")).close();
  }
  await rename(made, target);
  return { made, target, complete: async () => {} };
}

async function isSameFile(one: string, other: string): Promise<boolean> {
  const [left, right] = await Promise.all([lstat(one), lstat(other)]);
  return left.dev === right.dev && left.ino === right.ino;
}

async function isEmptyFile(path: string): Promise<boolean> {
  return lstat(path).then(
    (stats) => stats.isFile() && stats.size === 0,
    () => false,
  );
}

/** Makes the files of a tree; what a run that was killed had made of them is made again. */
async function unpackAll(
  entries: readonly TreeEntry[],
  permissions: FileDescription["permissions"],
  received: Received,
): Promise<Placements> {
  await rm(received.workFolder, { recursive: true, force: true });
  await mkdir(received.workFolder, { recursive: true });
  for (const entry of entries) await unpack(entry, received);
  const files = entries.filter((entry) => entry.kind === "file");
  const at = ({ path }: TreeEntry) => join(received.workFolder, path);
  await flushFiles(files.map(at));
  const bits = unpackPermissions(permissions);
  for (const file of files) {
    await setTime(at(file), file.lastModified);
    await setPermissions(at(file), bits.next().value);
  }
  await flushFolders(foldersOf(entries, received.workFolder));
  return Placements.begin(received.placements);
}

/** The folder of a tree, and those in it. */
function foldersOf(entries: readonly TreeEntry[], root: string): ReadonlySet<string> {
  const folders = new Set([root]);
  for (const { kind, path } of entries) {
    const names = path.split("/");
    for (let depth = kind === "folder" ? names.length : names.length - 1; depth > 0; depth--)
      folders.add(join(root, ...names.slice(0, depth)));
  }
  return folders;
}

async function unpack(entry: TreeEntry, { bytes, workFolder }: Received): Promise<void> {
  const path = join(workFolder, entry.path);
  if (entry.kind === "folder") {
    await mkdir(path, { recursive: true });
    return;
  }
  await mkdir(dirname(path), { recursive: true });
  const source = partOf(bytes, entry);
  if (source === null) await (await open(path, "wx")).close();
  else await pipeline(source, createWriteStream(path, { flags: "wx" }));
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
