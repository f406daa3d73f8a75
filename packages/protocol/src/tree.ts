import type { Decoded } from "./decode.ts";
import { WarrenError } from "./errors.ts";
import { limits } from "./limits.ts";
import { misshapenAt } from "./manifest-shape.ts";
import type { FileDescription } from "./peer-message.ts";
import { integer, listUpTo, textUpTo, v } from "./schema.ts";
import { utf8Length, writtenOut } from "./text.ts";
import { timestampSchema } from "./timestamp.ts";
import { TreePaths } from "./tree-paths.ts";
import { mimeTypeSchema, type TreeSummary } from "./tree-summary.ts";

export { TreePaths } from "./tree-paths.ts";

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

/** The content of a tree: its entries in order with safe paths, and how many folders they are in or are. */
export interface TreeContent {
  readonly entries: readonly TreeEntry[];
  readonly folders: number;
}

/** A tree whose manifest is to be read; only its author does not know the number of its folders yet. */
export interface DescribedTree extends Pick<FileDescription, "fileSize"> {
  readonly tree?: (Omit<TreeSummary, "folders"> & { readonly folders?: number }) | undefined;
}

/**
 * Reads a manifest. It stops at the first folder or segment too many, since a sender can hide millions of them in 16 MiB.
 * @returns `tree-invalid` if it does not match its description, `tree-too-large` if it has more segments than any tree may
 */
export function decodeManifest(manifest: string, description: DescribedTree): Decoded<TreeContent> {
  const { tree } = description;
  if (!tree || utf8Length(manifest) !== tree.manifestSize) return refuse("another length");
  if (misshapenAt(manifest) !== null) return refuse("not a list of entries");
  let json: unknown;
  try {
    json = JSON.parse(manifest);
  } catch {
    return refuse("not JSON");
  }
  const parsed = v.safeParse(manifestSchema, json);
  if (!parsed.success) return refuse("not a list of entries");
  const placed = new TreePaths();
  for (const [path, size] of parsed.output) {
    placed.add(size === undefined ? "folder" : "file", path);
    if (placed.segments > limits.treeSegments)
      return { ok: false, error: new WarrenError("tree-too-large", { limit: limits.treeSegments }) };
    if (tree.folders !== undefined && placed.folders > tree.folders) break;
  }
  if (tree.folders !== undefined && placed.folders !== tree.folders)
    return refuse("another number of folders");
  const paths = placed.decide();
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
  if (start !== description.fileSize) return refuse("sizes that do not add up");
  if (entries.length - folders.size !== tree.files) return refuse("another number of files");
  if (tree.pictures && !areAllPictures(entries)) return refuse("not only pictures");
  return { ok: true, value: { entries, folders: placed.folders } };
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

function refuse(issue: string): Decoded<never> {
  return { ok: false, error: new WarrenError("tree-invalid", { issue }) };
}
