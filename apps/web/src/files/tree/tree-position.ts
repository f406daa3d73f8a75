import type { TreeEntry } from "@warren/protocol/tree";

/** A transfer's position in a tree. */
export interface TreePosition {
  /** The current file, or the last one. */
  readonly path: string;
  /** Completed files. */
  readonly doneFiles: number;
}

/** A transfer's position after that many bytes of a tree; null for a tree without files. */
export function treePosition(entries: readonly TreeEntry[], streamBytes: number): TreePosition | null {
  let low = 0;
  let high = entries.length;
  // Files are in byte order; trailing empty folders count as the end.
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
