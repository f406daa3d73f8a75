import type { FileMessage } from "@warren/core";
import type { TreeEntry, TreeFile } from "@warren/protocol/tree";
import { claimsPicture } from "../../pictures/picture-type.ts";
import { filesOf, treeNodes } from "./tree-nodes.ts";

/** The number of pictures on a tree's card. */
const shownMax = 6;
/** In larger trees the first pictures in list order are shown: sorting all would take too long. */
const orderedMax = 2_000;

/** The pictures on a tree's card. */
export interface TreePictures {
  /** The first of them, in display order; null: not known yet. */
  readonly shown: readonly (TreeFile | null)[];
  /** How many more there are. */
  readonly moreCount: number;
}

/**
 * The previewable pictures of a tree, if most of its files are pictures; otherwise null. A list too long for its offer comes with the
 * last bytes: then only a tree that was announced to be all pictures has its place for them, from the offer on.
 */
export function picturesOf(
  { file: { tree }, manifest }: Pick<FileMessage, "file" | "manifest">,
  entries: readonly TreeEntry[] | null,
): TreePictures | null {
  if (manifest !== undefined) return entries && treePictures(entries.filter(isPreviewable), entries.length);
  if (!tree?.pictures) return null;
  const kept = Array<null>(Math.min(shownMax, tree.files)).fill(null);
  if (entries === null) return { shown: kept, moreCount: Math.max(0, tree.files - shownMax) };
  return treePictures(
    entries.filter(({ kind }) => kind === "file"),
    entries.length,
  );
}

function isPreviewable(entry: TreeEntry): boolean {
  return entry.kind === "file" && claimsPicture({ fileName: entry.path, mimeType: entry.mimeType });
}

function treePictures(pictures: readonly TreeEntry[], entryCount: number): TreePictures | null {
  if (pictures.length < 2 || pictures.length * 2 < entryCount) return null;
  const files = filesOf(treeNodes(pictures.length > orderedMax ? pictures.slice(0, shownMax) : pictures));
  return { shown: files.slice(0, shownMax), moreCount: Math.max(0, pictures.length - shownMax) };
}
