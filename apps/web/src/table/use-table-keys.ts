import { type KeyboardEvent, useEffect, useRef } from "react";
import type { Selection } from "../ui/hooks/use-selection.ts";
import { indexAfterKey } from "../ui/index-after-key.ts";
import { keyOf } from "../wiring/shortcuts/shortcuts.ts";
import type { RowWindow } from "./use-row-window.ts";

const pageRows = 10;

/** What the keys of a table act on, and what they do. */
export interface TableKeys<Row> {
  /** The shown rows, in order. */
  readonly rows: readonly Row[];
  /** A function outside of components. */
  readonly idOf: (row: Row) => string;
  readonly selection: Selection<Row>;
  /** Which rows can be selected; all by default. */
  readonly isSelectable?: (row: Row) => boolean;
  /** Whether nothing can be selected now. */
  readonly isSelectionDisabled?: boolean;
  /** Enter, and a double press. */
  readonly onOpen: (row: Row) => void;
  /** Delete. Resolves with whether the row was deleted. */
  readonly onDelete?: (row: Row) => Promise<boolean>;
  /** Further keys of a row, by `KeyboardEvent.key` in lower case. */
  readonly keys?: (row: Row) => Readonly<Record<string, () => void>>;
}

export function everyRow(): boolean {
  return true;
}

/** Returns the handler of a table's keys: they move, select, open and delete. */
export function useTableKeys<Row>(
  input: TableKeys<Row>,
  view: RowWindow<Row>,
): (event: KeyboardEvent<HTMLTableElement>) => void {
  const { rows, idOf, selection, isSelectable = everyRow, isSelectionDisabled = false } = input;
  const { onOpen, onDelete, keys } = input;
  /** The index to focus once the focused row is deleted. */
  const deletedAt = useRef<number>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only other rows can have taken the deleted one's place
  useEffect(() => {
    if (deletedAt.current === null) return;
    view.focus(deletedAt.current);
    deletedAt.current = null;
  }, [rows]);

  const move = (event: KeyboardEvent, row: Row, index: number): boolean => {
    const pages: Readonly<Record<string, number>> = { PageUp: index - pageRows, PageDown: index + pageRows };
    const last = rows.length - 1;
    const to = pages[event.key] ?? indexAfterKey(event.key, index, last);
    if (to === null) return false;
    const next = Math.min(last, Math.max(0, to));
    const nextRow = rows[next];
    if (event.shiftKey && nextRow && !isSelectionDisabled)
      selection.extendTo(idOf(nextRow), rows.filter(isSelectable), idOf(row));
    view.focus(next);
    return true;
  };

  const act = (event: KeyboardEvent, row: Row, index: number): boolean => {
    if (keyOf(event) === "a" && (event.ctrlKey || event.metaKey) && !event.altKey) {
      if (!isSelectionDisabled) selection.toggleAll(rows.filter(isSelectable));
      return true;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    const canSelect = isSelectable(row) && !isSelectionDisabled;
    const remove = (): void => {
      void onDelete?.(row).then((isDeleted) => {
        if (isDeleted) deletedAt.current = index;
      });
    };
    const verbs: Readonly<Record<string, () => void>> = {
      " ": () => {
        if (canSelect) selection.toggle(idOf(row));
      },
      enter: () => onOpen(row),
      escape: () => selection.clear(),
      ...(onDelete && { delete: remove, backspace: remove }), // Mac keyboards have Backspace in place of Delete
      ...keys?.(row),
    };
    const verb = verbs[keyOf(event)];
    verb?.();
    return verb !== undefined;
  };

  return (event: KeyboardEvent<HTMLTableElement>): void => {
    if (event.defaultPrevented || !(event.target instanceof HTMLElement)) return;
    const id = event.target.dataset.row;
    const index = id === undefined ? -1 : rows.findIndex((row) => idOf(row) === id);
    const row = rows[index];
    const isDone =
      row === undefined
        ? toNextControl(event.target, event.key)
        : move(event, row, index) || act(event, row, index);
    if (isDone) event.preventDefault();
  };
}

/** Moves the focus from a control to the same one of the next row that has it. */
function toNextControl(from: HTMLElement, key: string): boolean {
  const step =
    key === "ArrowDown" ? "nextElementSibling" : key === "ArrowUp" ? "previousElementSibling" : null;
  const cell = from.closest("td");
  const ownRow = cell?.parentElement;
  if (step === null || !cell || !ownRow) return false;
  const index = [...ownRow.children].indexOf(cell);
  for (let row = ownRow[step]; row !== null; row = row[step]) {
    const control = row.children[index]?.querySelector<HTMLElement>("input:not([disabled]), button");
    if (!control) continue;
    control.focus();
    return true;
  }
  return false;
}
