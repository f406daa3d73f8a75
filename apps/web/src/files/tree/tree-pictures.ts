import type { TreeEntry, TreeFile } from "@warren/protocol/tree";
import { claimsPicture } from "../../people/picture-type.ts";
import { filesOf, treeNodes } from "./tree-nodes.ts";

/** The number of pictures on a tree's card. */
const shownMax = 6;
/** In larger trees the first pictures in list order are shown: sorting all would take too long. */
const orderedMax = 2_000;

/** The pictures on a tree's card. */
export interface TreePictures {
  /** The first of them, in display order. */
  readonly shown: readonly TreeFile[];
  /** How many more there are. */
  readonly moreCount: number;
}

/** The previewable pictures of a tree, if most of its files are pictures; otherwise null. */
export function treePictures(entries: readonly TreeEntry[]): TreePictures | null {
  const pictures = entries.filter(
    (entry) => entry.kind === "file" && claimsPicture({ fileName: entry.path, mimeType: entry.mimeType }),
  );
  if (pictures.length < 2 || pictures.length * 2 < entries.length) return null;
  const files = filesOf(treeNodes(pictures.length > orderedMax ? pictures.slice(0, shownMax) : pictures));
  return { shown: files.slice(0, shownMax), moreCount: Math.max(0, pictures.length - shownMax) };
}
