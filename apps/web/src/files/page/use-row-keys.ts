import { type KeyboardEvent, useEffect, useRef } from "react";
import type { FileRow } from "./file-row.ts";
import type { FileActions } from "./use-file-actions.ts";
import type { FileSelection } from "./use-file-selection.ts";
import type { RowWindow } from "./use-row-window.ts";

const pageRows = 10;

interface RowKeysInput {
  readonly rows: readonly FileRow[];
  readonly view: RowWindow;
  readonly selection: FileSelection;
  readonly actions: FileActions;
}

/**
 * Keyboard handling of a row: arrows move, Space selects, Enter opens, S saves, F forwards, Delete and
 * Backspace delete, Escape clears the selection.
 */
export function useRowKeys({ rows, view, selection, actions }: RowKeysInput) {
  /** The index to focus once the focused row is deleted. */
  const deletedAt = useRef<number>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only other rows can have taken the deleted one's place
  useEffect(() => {
    if (deletedAt.current === null) return;
    view.focus(deletedAt.current);
    deletedAt.current = null;
  }, [rows]);

  /** The selected rows if this row is one of them, otherwise this row. */
  const meantBy = (row: FileRow): readonly FileRow[] => (selection.has(row.fid) ? selection.rows : [row]);

  const remove = async (row: FileRow): Promise<void> => {
    const index = rows.indexOf(row);
    if (await actions.remove(meantBy(row))) {
      deletedAt.current = index;
      selection.clear();
    }
  };

  return (event: KeyboardEvent<HTMLElement>): void => {
    // Keys pressed on controls inside a row are theirs.
    const fid = event.target instanceof HTMLElement ? event.target.dataset.fid : undefined;
    if (fid === undefined) return;
    const index = rows.findIndex((row) => row.fid === fid);
    const row = rows[index];
    if (row === undefined) return;

    const moves: Readonly<Record<string, number>> = {
      ArrowUp: index - 1,
      ArrowDown: index + 1,
      PageUp: index - pageRows,
      PageDown: index + pageRows,
      Home: 0,
      End: rows.length - 1,
    };
    const to = moves[event.key];
    if (to !== undefined) {
      event.preventDefault();
      const next = Math.min(rows.length - 1, Math.max(0, to));
      const nextRow = rows[next];
      if (event.shiftKey && nextRow) selection.extendTo(nextRow.fid, rows);
      view.focus(next);
      return;
    }
    if (event.key.toLowerCase() === "a" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      selection.toggleAll(rows);
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const verbs: Readonly<Record<string, () => void>> = {
      " ": () => selection.toggle(row.fid),
      Enter: () => actions.open(row, rows),
      f: () => actions.forward(meantBy(row)),
      s: () => actions.save(meantBy(row)),
      Delete: () => void remove(row),
      // Mac keyboards have Backspace in place of Delete.
      Backspace: () => void remove(row),
      Escape: () => selection.clear(),
    };
    const verb = verbs[event.key];
    if (verb === undefined) return;
    event.preventDefault();
    verb();
  };
}
