import type { OpenTree } from "@warren/core";
import { fileNameKey, numberedFileName } from "@warren/protocol";
import type { TreeFile } from "@warren/protocol/tree";
import type { WritableFolder } from "../../platform/files/folder-on-disk.ts";

/** Concurrent file writes. */
const writersMax = 6;

/** Options for writing a tree to a folder. */
interface SaveToFolderOptions {
  /** The folder to create for all of it; null for none. */
  readonly folder: string | null;
  readonly onProgress?: (doneFiles: number) => void;
}

/**
 * Writes a tree into a folder on the user's disk. Never overwrites: entries with a taken name are renamed.
 * Rejects with the first failure; then no further file is started or reported.
 * @returns how many files the browser refused because of their names.
 */
export function saveToFolder(
  tree: OpenTree,
  target: WritableFolder,
  options: SaveToFolderOptions,
): Promise<number> {
  return target.exclusively(() => writeTree(tree, target, options));
}

async function writeTree(
  tree: OpenTree,
  target: WritableFolder,
  { folder, onProgress }: SaveToFolderOptions,
): Promise<number> {
  const home = folder === null ? target : await target.folder(await freeName(target, folder, new Set()));
  // A newly created folder is empty; only an existing one can have taken names.
  const renamed = folder === null ? await freeNames(tree, target) : new Map<string, string>();
  const folders = new Map<string, Promise<WritableFolder>>([["", Promise.resolve(home)]]);
  const folderAt = (path: string): Promise<WritableFolder> => {
    const known = folders.get(path);
    if (known !== undefined) return known;
    const [parent, name] = splitPath(path);
    const opened = folderAt(parent).then((inside) =>
      inside.folder((parent === "" && renamed.get(name)) || name),
    );
    folders.set(path, opened);
    return opened;
  };

  const waiting = tree.entries.values();
  let done = 0;
  let refused = 0;
  const writeFile = async (entry: TreeFile): Promise<void> => {
    const [parent, name] = splitPath(entry.path);
    const inside = await folderAt(parent);
    if (!(await inside.write((parent === "" && renamed.get(name)) || name, tree.fileOf(entry)))) refused++;
    // After a failure the other writers finish their current file without reporting it.
    if (!hasFailed) onProgress?.(++done);
  };
  let hasFailed = false;
  const writeNext = async (): Promise<void> => {
    try {
      for (const entry of waiting) {
        if (hasFailed) return;
        if (entry.kind === "folder") await folderAt(entry.path);
        else await writeFile(entry);
      }
    } catch (failure) {
      hasFailed = true;
      throw failure;
    }
  };
  await Promise.all(Array.from({ length: writersMax }, writeNext));
  return refused;
}

/** The top-level names of a tree that are taken in a folder, with free replacements. */
async function freeNames({ entries }: OpenTree, target: WritableFolder): Promise<Map<string, string>> {
  const outermost = new Set(entries.map(({ path }) => path.split("/", 1)[0] ?? ""));
  const taken = new Set([...outermost].map(fileNameKey));
  const renamed = new Map<string, string>();
  for (const name of outermost) {
    if (!(await target.has(name))) continue;
    const free = await freeName(target, name, taken);
    taken.add(fileNameKey(free));
    renamed.set(name, free);
  }
  return renamed;
}

async function freeName(target: WritableFolder, name: string, taken: ReadonlySet<string>): Promise<string> {
  let free = name;
  for (let number = 2; taken.has(fileNameKey(free)) || (await target.has(free)); number++)
    free = numberedFileName(name, number);
  return free;
}

function splitPath(path: string): [parent: string, name: string] {
  const slash = path.lastIndexOf("/");
  return slash === -1 ? ["", path] : [path.slice(0, slash), path.slice(slash + 1)];
}
