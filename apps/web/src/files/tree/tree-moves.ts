import { indexAfterKey } from "../../ui/index-after-key.ts";
import type { TreeRow } from "./tree-nodes.ts";

/** The effect of a key in a tree. */
type TreeMove =
  | { readonly kind: "to"; readonly index: number }
  /** Opens or closes the folder of the active row. */
  | { readonly kind: "toggle"; readonly open: boolean };

/** The effect of a key on the active row, following the ARIA tree pattern; null for other keys. */
export function moveInTree(key: string, rows: readonly TreeRow[], active: number): TreeMove | null {
  const to = (index: number): TreeMove => ({
    kind: "to",
    index: Math.min(Math.max(0, index), rows.length - 1),
  });
  const row = rows[active];
  if (row === undefined) return null;
  const isFolder = row.node.kind === "folder";
  const moved = indexAfterKey(key, active, rows.length - 1);
  if (moved !== null) return to(moved);
  switch (key) {
    case "ArrowRight":
      if (!isFolder) return to(active);
      return row.isExpanded ? to(active + 1) : { kind: "toggle", open: true };
    case "ArrowLeft":
      if (isFolder && row.isExpanded) return { kind: "toggle", open: false };
      return to(Math.max(0, parentOf(rows, active)));
    default:
      return key.length === 1 && key !== " " ? to(namedBy(key, rows, active)) : null;
  }
}

function parentOf(rows: readonly TreeRow[], active: number): number {
  const level = rows[active]?.level ?? 1;
  const parent = rows.slice(0, active).findLastIndex((row) => row.level < level);
  return parent === -1 ? active : parent;
}

/** The next row after the active one whose name begins with a letter, wrapping around. */
function namedBy(letter: string, rows: readonly TreeRow[], active: number): number {
  const begins = ({ node }: TreeRow): boolean =>
    node.name.toLocaleLowerCase().startsWith(letter.toLocaleLowerCase());
  const after = rows.findIndex((row, index) => index > active && begins(row));
  const found = after === -1 ? rows.findIndex(begins) : after;
  return found === -1 ? active : found;
}
