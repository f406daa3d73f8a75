import type { OpenTree } from "@warren/core";
import { fileNameKey, numberedFileName } from "@warren/protocol";
import type { TreeFile } from "@warren/protocol/tree";
import type { WritableFolder } from "../../platform/folder-on-disk.ts";

/** How many files are written at a time. */
const writersMax = 6;

/** How a tree is written to a folder. */
export interface SaveToFolderOptions {
  /** The folder to make for all of it; none where null. */
  readonly folder: string | null;
  readonly onProgress?: (doneFiles: number) => void;
}

/**
 * Writes a tree into a folder of the person's disk. Nothing there is written over: what has a name that is taken gets another.
 * Rejects with the first failure; then nothing further is begun or told.
 * @returns how many files the browser refused for their names.
 */
export async function saveToFolder(
  tree: OpenTree,
  target: WritableFolder,
  { folder, onProgress }: SaveToFolderOptions,
): Promise<number> {
  const home = folder === null ? target : await target.folder(await freeName(target, folder, new Set()));
  // A folder that was just made is empty; only in one that was there names can be taken.
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
    // Of what is not told any more, the others end what they have begun.
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

/** The outermost names of a tree that are taken in a folder, with those that are free. */
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
