import type { TreeEntry } from "@warren/protocol/tree";

/** Where in a tree a transfer is. */
export interface TreePlace {
  /** The file under way, or the last one. */
  readonly path: string;
  /** Files that are through. */
  readonly doneFiles: number;
}

/** Where a transfer is once so many bytes of a tree are through; null for a tree without files. */
export function treePlace(entries: readonly TreeEntry[], streamBytes: number): TreePlace | null {
  let low = 0;
  let high = entries.length;
  // Files stand in the order of their bytes; empty folders behind them count for the end.
  const isThrough = (index: number): boolean => {
    const entry = entries[index];
    return entry?.kind === "file" && entry.start + entry.size <= streamBytes;
  };
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isThrough(middle)) low = middle + 1;
    else high = middle;
  }
  const next = entries[low];
  const current = next?.kind === "file" ? next : entries[low - 1];
  return current === undefined ? null : { path: current.path, doneFiles: low };
}
