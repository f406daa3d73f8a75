import { folded } from "@warren/core";
import type { TreeEntry, TreeFile } from "@warren/protocol/tree";

/** A tree never changes: its paths are folded once. */
const foldedPaths = new WeakMap<readonly TreeEntry[], readonly string[]>();

function foldedPathsOf(entries: readonly TreeEntry[]): readonly string[] {
  const known = foldedPaths.get(entries);
  if (known !== undefined) return known;
  const paths = entries.map(({ path }) => folded(path));
  foldedPaths.set(entries, paths);
  return paths;
}

/** All names in a tree as one searchable text: names contain no line breaks, which separate them. */
export function foldedNames(entries: readonly TreeEntry[]): string {
  return foldedPathsOf(entries).join("\n");
}

/**
 * The files of a tree whose names, or whose folders' names, contain a folded query; none for an empty one.
 */
export function filesFound(entries: readonly TreeEntry[], foldedQuery: string): readonly TreeFile[] {
  if (foldedQuery === "") return [];
  const paths = foldedPathsOf(entries);
  return entries.filter(
    (entry, index): entry is TreeFile =>
      entry.kind === "file" && (paths[index]?.includes(foldedQuery) ?? false),
  );
}
