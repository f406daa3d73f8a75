import type { Decoded } from "./decode.ts";
import { WarrenError } from "./errors.ts";
import { limits } from "./limits.ts";
import { contentSizeOf, type FileDescription } from "./peer-message.ts";
import { integer, listUpTo, textUpTo, v } from "./schema.ts";
import { utf8Length, writtenOut } from "./text.ts";
import { timestampSchema } from "./timestamp.ts";
import { safeTreePaths } from "./tree-paths.ts";
import { mimeTypeSchema } from "./tree-summary.ts";

/** A file of a tree. Sizes in bytes, times in ms since the epoch. */
export interface TreeFile {
  readonly kind: "file";
  /** Relative to the tree: safe file names separated by `/`. */
  readonly path: string;
  /** The path as received, for display, if it had to be changed; hidden characters are written out. */
  readonly originalPath?: string;
  readonly size: number;
  readonly lastModified: number;
  readonly mimeType: string;
  /** The offset of its bytes within the tree's. */
  readonly start: number;
}

/** An empty folder of a tree. Other folders are derived from the paths of their content. */
export interface TreeFolder {
  readonly kind: "folder";
  readonly path: string;
}

/** An entry of a manifest. */
export type TreeEntry = TreeFile | TreeFolder;

const pathSchema = textUpTo(limits.treePathLength);
const manifestSchema = listUpTo(
  v.union([
    v.strictTuple([pathSchema, integer(0), timestampSchema, mimeTypeSchema]),
    v.strictTuple([pathSchema]),
  ]),
  limits.treeEntries,
);

/** The manifest of a tree as text. The tree's bytes begin with its UTF-8 bytes. */
export function encodeManifest(entries: readonly (Omit<TreeFile, "start"> | TreeFolder)[]): string {
  return JSON.stringify(
    entries.map((entry) =>
      entry.kind === "file" ? [entry.path, entry.size, entry.lastModified, entry.mimeType] : [entry.path],
    ),
  );
}

/**
 * @returns the entries of a manifest in order with safe paths, or `tree-invalid` if it does not match its description
 */
export function decodeManifest(
  manifest: string,
  description: Pick<FileDescription, "fileSize" | "tree">,
): Decoded<TreeEntry[]> {
  const { tree } = description;
  if (!tree || utf8Length(manifest) !== tree.manifestSize) return refuse("another length");
  let json: unknown;
  try {
    json = JSON.parse(manifest);
  } catch {
    return refuse("not JSON");
  }
  const parsed = v.safeParse(manifestSchema, json);
  if (!parsed.success) return refuse("not a list of entries");
  const kinds = parsed.output.map(
    ([path, size]) => ({ path, kind: size === undefined ? "folder" : "file" }) as const,
  );
  const paths = safeTreePaths(kinds);
  const entries: TreeEntry[] = [];
  const folders = new Set<string>();
  let start = tree.manifestSize;
  for (const [index, [raw, size, lastModified = 0, mimeType = ""]] of parsed.output.entries()) {
    const path = paths[index] ?? "";
    if (size !== undefined) {
      const originalPath = writtenOut(raw);
      const renamed = originalPath === path ? {} : { originalPath };
      entries.push({ kind: "file", path, ...renamed, size, lastModified, mimeType, start });
      start += size;
    } else if (!folders.has(path)) {
      folders.add(path);
      entries.push({ kind: "folder", path });
    }
  }
  if (start - tree.manifestSize !== contentSizeOf(description)) return refuse("sizes that do not add up");
  if (entries.length - folders.size !== tree.files) return refuse("another number of files");
  if (tree.pictures && !areAllPictures(entries)) return refuse("not only pictures");
  return { ok: true, value: entries };
}

const pictureName = /\.(png|jpe?g|webp|gif|avif|heic|heif|bmp|tiff?)$/i;

/** Whether a file claims to be a picture: by its type or, without one, by its name. */
function claimsPicture({ path, mimeType }: Pick<TreeFile, "path" | "mimeType">): boolean {
  return mimeType === "" ? pictureName.test(path) : mimeType.startsWith("image/");
}

/** Whether a tree holds only files that claim to be pictures. */
export function areAllPictures(entries: readonly (Omit<TreeFile, "start"> | TreeFolder)[]): boolean {
  return entries.length > 0 && entries.every((entry) => entry.kind === "file" && claimsPicture(entry));
}

/** All folders of a tree, including those that appear only in paths; each after its parent. */
export function foldersOf(entries: Iterable<TreeEntry>): Set<string> {
  const folders = new Set<string>();
  for (const { kind, path } of entries) {
    for (let slash = path.indexOf("/"); slash !== -1; slash = path.indexOf("/", slash + 1))
      folders.add(path.slice(0, slash));
    if (kind === "folder") folders.add(path);
  }
  return folders;
}

function refuse(issue: string): Decoded<never> {
  return { ok: false, error: new WarrenError("tree-invalid", { issue }) };
}
