import { fileNameKey, numberedFileName, safeFileName, safeFileNameWithin } from "./file-name.ts";
import { limits } from "./limits.ts";
import { utf8Length } from "./text.ts";

/** A file or folder by its received name. */
interface Node {
  /** Null for the tree itself. */
  readonly parent: Node | null;
  readonly segment: string;
  readonly safeName: string;
  /** The size of its safe path in UTF-8 with a slash at its end, if no name is shortened or numbered. */
  readonly pathBytes: number;
  /** Its safe path, once that is decided. */
  path: string | null;
  /** The folders in it by received name: names that only a file system treats as equal remain separate. */
  folders: Map<string, Node> | null;
  /** The names in use in it, by {@link fileNameKey}, with the number to try next for a name that is one of them. */
  taken: Map<string, number> | null;
}

/** The most bytes that a number can add to a name. */
const numberBytes = 12;

/**
 * Makes the paths of a tree safe for every disk and archive: relative, with safe file names, at most 32 segments and
 * 900 bytes. If one would be longer, the longest names of the tree are shortened. No two paths are equal on any file
 * system, no file has the path of a folder, and a repeated folder keeps one path. A safe tree is returned unchanged.
 *
 * A sender can repeat a path of 32 folders in each of 100,000 entries, so every name is made once for its folder, not once
 * for each path through it, and a caller that watches the two counts can stop.
 */
export class TreePaths {
  readonly #root = nodeIn(null, "", "");
  readonly #entries: Node[] = [];
  #folders = 0;
  #files = 0;
  /** One limit for the whole tree, so that a folder has the same name in every path. */
  #nameBytes: number = limits.fileNameBytes;

  /** The folders so far, including those that appear only in paths. */
  get folders(): number {
    return this.#folders;
  }

  /** The files and folders so far. */
  get segments(): number {
    return this.#files + this.#folders;
  }

  /** Adds an entry with its path as received. */
  add(kind: "file" | "folder", path: string): void {
    const segments = segmentsOf(path);
    const name = segments.pop() ?? "";
    const parent = segments.reduce((folder, segment) => this.#folderIn(folder, segment), this.#root);
    const node = kind === "file" ? this.#fileIn(parent, name) : this.#folderIn(parent, name);
    this.#entries.push(node);
    if (node.pathBytes > limits.treePathBytes) this.#nameBytes = Math.min(this.#nameBytes, nameBytesOf(node));
  }

  /** The safe path of each entry, in the order in which they were added. */
  decide(): string[] {
    return this.#entries.map((node) => this.#pathOf(node));
  }

  #fileIn(parent: Node, segment: string): Node {
    this.#files++;
    return nodeIn(parent, segment, safeFileName(segment));
  }

  #folderIn(parent: Node, segment: string): Node {
    parent.folders ??= new Map();
    let folder = parent.folders.get(segment);
    if (!folder) {
      this.#folders++;
      folder = nodeIn(parent, segment, safeFileName(segment));
      parent.folders.set(segment, folder);
    }
    return folder;
  }

  #pathOf(node: Node): string {
    const { parent, segment, safeName } = node;
    if (parent === null) return "";
    if (node.path !== null) return node.path;
    const above = this.#pathOf(parent);
    const isShortened = this.#nameBytes < limits.fileNameBytes;
    const safe = isShortened ? safeFileNameWithin(this.#nameBytes, segment) : safeName;
    parent.taken ??= new Map();
    const name = reserve(parent.taken, safe);
    node.path = above === "" ? name : `${above}/${name}`;
    return node.path;
  }
}

/** The segments of a received path that name something; folders are dropped from the middle of one that is too deep. */
function segmentsOf(path: string): string[] {
  const segments = path.split("/").filter((segment) => !/^\.{0,2}$/.test(segment));
  return segments.length > limits.treeDepth
    ? [...segments.slice(0, limits.treeDepth - 1), segments.at(-1) ?? ""]
    : segments;
}

function nodeIn(parent: Node | null, segment: string, safeName: string): Node {
  const pathBytes = parent === null ? 0 : parent.pathBytes + utf8Length(safeName) + 1;
  return { parent, segment, safeName, pathBytes, path: null, folders: null, taken: null };
}

/** The byte limit for each name that makes a path fit. */
function nameBytesOf(node: Node): number {
  const lengths: number[] = [];
  for (let at = node; at.parent; at = at.parent) lengths.push(utf8Length(at.safeName));
  // Short names leave their unused bytes to the long ones.
  let leftBytes = limits.treePathBytes - (1 + numberBytes) * lengths.length;
  let leftNames = lengths.length;
  for (const length of lengths.sort((a, b) => a - b)) {
    if (length > leftBytes / leftNames) break;
    leftBytes -= length;
    leftNames--;
  }
  return Math.floor(leftBytes / leftNames);
}

/** Takes the first free name, with a number if the name itself is in use. */
function reserve(taken: Map<string, number>, name: string): string {
  const tried: string[] = [];
  let free = name;
  let key = fileNameKey(free);
  let number = 1;
  for (let next = taken.get(key); next !== undefined; next = taken.get(key)) {
    tried.push(key);
    number = Math.max(number + 1, next);
    free = numberedFileName(name, number);
    key = fileNameKey(free);
  }
  // Long names lose the same end to their numbers: each of those tried leads the next one past all the others.
  for (const used of [...tried, key]) taken.set(used, number + 1);
  return free;
}
