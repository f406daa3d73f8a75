import type { TreeEntry, TreeFile } from "@warren/protocol/tree";
import { claimsPicture } from "../../people/picture-type.ts";
import { filesOf, treeNodes } from "./tree-nodes.ts";

/** How many pictures of a tree its card shows. */
const shownMax = 6;
/** In larger trees the first pictures of the list are shown: putting all into order would take too long. */
const orderedMax = 2_000;

/** The pictures that a card shows of a tree. */
export interface TreePictures {
  /** The first of them, in the order they are listed. */
  readonly shown: readonly TreeFile[];
  /** How many more there are. */
  readonly moreCount: number;
}

/** The pictures of a tree that can be drawn, where most of what is in it are some; otherwise null. */
export function treePictures(entries: readonly TreeEntry[]): TreePictures | null {
  const pictures = entries.filter(
    (entry) => entry.kind === "file" && claimsPicture({ fileName: entry.path, mimeType: entry.mimeType }),
  );
  if (pictures.length < 2 || pictures.length * 2 < entries.length) return null;
  const files = filesOf(treeNodes(pictures.length > orderedMax ? pictures.slice(0, shownMax) : pictures));
  return { shown: files.slice(0, shownMax), moreCount: Math.max(0, pictures.length - shownMax) };
}
