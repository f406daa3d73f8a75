import { fileNameKey, numberedFileName, safeFileName, safeFileNameWithin } from "./file-name.ts";
import { limits } from "./limits.ts";
import { utf8Length } from "./text.ts";

/** A path of a tree as received. */
export interface RawTreePath {
  readonly kind: "file" | "folder";
  readonly path: string;
}

/** A folder with its safe path. */
interface PlacedFolder {
  readonly path: string;
  /** The number to try next for each used name, by {@link fileNameKey}. */
  readonly taken: Map<string, number>;
  /** Its folders by received name: names that only a file system treats as equal remain separate. */
  readonly folders: Map<string, PlacedFolder>;
}

/** The most bytes that a number can add to a name. */
const numberBytes = 12;

/**
 * Makes the paths of a tree safe for every disk and archive: relative, with safe file names, at most 32 segments and
 * 900 bytes. If one would be longer, the longest names of the tree are shortened. No two paths are equal on any file
 * system, no file has the path of a folder, and a repeated folder keeps one path. A safe tree is returned unchanged.
 * @returns one path for each entry, in order
 */
export function safeTreePaths(entries: Iterable<RawTreePath>): string[] {
  const raw = Array.from(entries, ({ kind, path }) => ({
    kind,
    segments: fitDepth(path.split("/").filter((segment) => !/^\.{0,2}$/.test(segment))),
  }));
  // One limit for the whole tree, so that a folder has the same name in every path.
  const nameBytes = Math.min(
    limits.fileNameBytes,
    ...new Set(raw.map(({ segments }) => nameBytesOf(segments))),
  );
  const root: PlacedFolder = { path: "", taken: new Map(), folders: new Map() };
  return raw.map(({ kind, segments }) => {
    if (kind === "folder") return folderOf(root, segments.length > 0 ? segments : [""], nameBytes).path;
    const folder = folderOf(root, segments.slice(0, -1), nameBytes);
    return place(folder, segments.at(-1) ?? "", nameBytes);
  });
}

/** Drops folders from the middle of a path that is too deep. */
function fitDepth(segments: readonly string[]): readonly string[] {
  return segments.length > limits.treeDepth
    ? [...segments.slice(0, limits.treeDepth - 1), segments.at(-1) ?? ""]
    : segments;
}

/** The byte limit for each name that makes the path fit. */
function nameBytesOf(segments: readonly string[]): number {
  const lengths = segments.map((segment) => utf8Length(safeFileName(segment)));
  const total = lengths.reduce((sum, length) => sum + length + 1, 0);
  if (total <= limits.treePathBytes) return limits.fileNameBytes;
  // Short names leave their unused bytes to the long ones.
  let leftBytes = limits.treePathBytes - (1 + numberBytes) * segments.length;
  let leftNames = segments.length;
  for (const length of lengths.sort((a, b) => a - b)) {
    if (length > leftBytes / leftNames) break;
    leftBytes -= length;
    leftNames--;
  }
  return Math.floor(leftBytes / leftNames);
}

function folderOf(root: PlacedFolder, segments: readonly string[], nameBytes: number): PlacedFolder {
  let folder = root;
  for (const segment of segments) {
    let inner = folder.folders.get(segment);
    if (!inner) {
      inner = { path: place(folder, segment, nameBytes), taken: new Map(), folders: new Map() };
      folder.folders.set(segment, inner);
    }
    folder = inner;
  }
  return folder;
}

/** Reserves the first free name for a segment. @returns the whole path */
function place({ path, taken }: PlacedFolder, segment: string, nameBytes: number): string {
  const name = safeFileNameWithin(nameBytes, segment);
  const key = fileNameKey(name);
  let free = name;
  let number = taken.get(key);
  if (number === undefined) number = 1;
  else {
    do {
      number++;
      free = numberedFileName(name, number);
    } while (taken.has(fileNameKey(free)));
    taken.set(fileNameKey(free), 1);
  }
  taken.set(key, number);
  return path === "" ? free : `${path}/${free}`;
}
