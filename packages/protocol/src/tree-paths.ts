import { fileNameKey, numberedFileName, safeFileName, safeFileNameWithin } from "./file-name.ts";
import { limits } from "./limits.ts";
import { utf8Length } from "./text.ts";

/** A place in a tree as a peer named it. */
export interface RawTreePath {
  readonly kind: "file" | "folder";
  readonly path: string;
}

/** A folder that was given its place. */
interface PlacedFolder {
  readonly path: string;
  /** The names taken within it, by what file systems may take for the same, with the next number to try. */
  readonly taken: Map<string, number>;
  /** Its folders by the name they came with: two that only file systems take for the same stay two. */
  readonly folders: Map<string, PlacedFolder>;
}

/** What the number behind a name can add to it. */
const numberBytes = 12;

/**
 * The paths of a tree made safe for every disk and archive, one for each that is given: relative, of segments that are
 * safe file names, at most 32 deep and 900 bytes long. Where one would be longer, the tree's longest names are shortened.
 * No two are the same for any file system, a file never stands where a folder does, and the same folder given twice keeps
 * one path. A safe tree is returned as it is.
 */
export function safeTreePaths(entries: Iterable<RawTreePath>): string[] {
  const raw = Array.from(entries, ({ kind, path }) => ({
    kind,
    segments: fitDepth(path.split("/").filter((segment) => !/^\.{0,2}$/.test(segment))),
  }));
  // One for the whole tree, so that a folder has one name in all the paths that lead through it.
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

/** Leaves out folders in the middle until what remains is not too deep. */
function fitDepth(segments: readonly string[]): readonly string[] {
  return segments.length > limits.treeDepth
    ? [...segments.slice(0, limits.treeDepth - 1), segments.at(-1) ?? ""]
    : segments;
}

/** How long the names of a path can be, in bytes, for the path not to be too long. */
function nameBytesOf(segments: readonly string[]): number {
  const lengths = segments.map((segment) => utf8Length(safeFileName(segment)));
  const total = lengths.reduce((sum, length) => sum + length + 1, 0);
  if (total <= limits.treePathBytes) return limits.fileNameBytes;
  // The short names leave what they do not need to the long ones.
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

/** Takes the first free name for a segment. @returns its whole path. */
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
