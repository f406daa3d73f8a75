import { containsWords, folded } from "@warren/core";
import type { TreeEntry, TreeFile } from "@warren/protocol/tree";

/** A tree never changes: its paths are folded once. */
const foldedPaths = new WeakMap<readonly TreeEntry[], readonly string[]>();

export function foldedPathsOf(entries: readonly TreeEntry[]): readonly string[] {
  const known = foldedPaths.get(entries);
  if (known !== undefined) return known;
  const paths = entries.map(({ path }) => folded(path));
  foldedPaths.set(entries, paths);
  return paths;
}

/** The files of a tree whose paths contain all folded words of a search; none for no words. */
export function filesFound(entries: readonly TreeEntry[], words: readonly string[]): readonly TreeFile[] {
  if (words.length === 0) return [];
  const paths = foldedPathsOf(entries);
  return entries.filter(
    (entry, index): entry is TreeFile => entry.kind === "file" && containsWords(paths[index] ?? "", words),
  );
}
