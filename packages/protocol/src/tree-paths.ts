import { fileNameKey, numberedFileName, safeFileName } from "./file-name.ts";
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

/**
 * The paths of a tree made safe for every disk and archive, one for each that is given: relative, of segments that are
 * safe file names, at most 32 deep and 900 bytes long. No two are the same for any file system, a file never stands
 * where a folder does, and the same folder given twice keeps one path. A safe tree is returned as it is.
 */
export function safeTreePaths(entries: Iterable<RawTreePath>): string[] {
  const root: PlacedFolder = { path: "", taken: new Map(), folders: new Map() };
  return Array.from(entries, ({ kind, path }) => {
    const segments = fitDepth(path.split("/").filter((segment) => !/^\.{0,2}$/.test(segment)));
    if (kind === "folder") return folderOf(root, segments.length > 0 ? segments : [""]).path;
    return place(folderOf(root, segments.slice(0, -1)), segments.at(-1) ?? "");
  });
}

/** Leaves out folders in the middle until what remains is neither too deep nor too long. */
function fitDepth(raw: readonly string[]): string[] {
  const segments =
    raw.length > limits.treeDepth ? [...raw.slice(0, limits.treeDepth - 1), raw.at(-1) ?? ""] : [...raw];
  const lengths = segments.map((segment) => utf8Length(safeFileName(segment)) + 1);
  let bytes = lengths.reduce((sum, length) => sum + length, 0);
  // Two names of 255 bytes always fit.
  while (bytes > limits.treePathBytes) {
    segments.splice(-2, 1);
    bytes -= lengths.splice(-2, 1)[0] ?? 0;
  }
  return segments;
}

function folderOf(root: PlacedFolder, segments: readonly string[]): PlacedFolder {
  let folder = root;
  for (const segment of segments) {
    let inner = folder.folders.get(segment);
    if (!inner) {
      inner = { path: place(folder, segment), taken: new Map(), folders: new Map() };
      folder.folders.set(segment, inner);
    }
    folder = inner;
  }
  return folder;
}

/** Takes the first free name for a segment. @returns its whole path. */
function place({ path, taken }: PlacedFolder, segment: string): string {
  const name = safeFileName(segment);
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
