import {
  Fragment,
  type KeyboardEvent,
  type MouseEvent,
  memo,
  type ReactNode,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { cx } from "../ui/cx.ts";
import { Checkbox } from "../ui/fields/checkbox.tsx";
import { ReceiveIcon } from "../ui/icons.ts";
import { MenuCheck } from "../ui/overlays/menu.tsx";
import { useDevice } from "../wiring/device-context.tsx";
import { keyOf } from "../wiring/shortcuts/shortcuts.ts";
import { type RowWindow, useRowWindow } from "./use-row-window.ts";
import type { Selection } from "./use-selection.ts";

/** A column of a {@link DataTable}. */
export interface Column<Row, Id extends string = string> {
  readonly id: Id;
  readonly head: ReactNode;
  readonly headClass?: string | undefined;
  /** Width in px; of a column that grows the least. */
  readonly widthPx: number;
  /** Whether it takes the remaining width. */
  readonly grows?: boolean;
  /** @param tabIndex for controls: only one row is in the tab order. */
  readonly cell: (row: Row, tabIndex: number) => ReactNode;
  readonly cellClass?: string | undefined;
  /** The ascending order; absent in columns that do not sort. */
  readonly compare?: (a: Row, b: Row) => number;
  /** Whether its first press sorts descending. */
  readonly descendingFirst?: boolean;
}

/** The column that a table is sorted by. */
export interface Sorting<Id extends string = string> {
  readonly by: Id;
  readonly isDescending: boolean;
  /** Sorts by a column, or reverses the order if it already is sorted by it. */
  sortBy(id: Id): void;
}

/** Sorts rows by the columns' orders. */
export function useSorted<Row, Id extends string>(
  rows: readonly Row[],
  columns: readonly Pick<Column<Row, Id>, "id" | "compare" | "descendingFirst">[],
  initial: Pick<Sorting<Id>, "by" | "isDescending">,
): readonly [rows: readonly Row[], sorting: Sorting<Id>] {
  const [{ by, isDescending }, set] = useState(initial);
  const compare = columns.find(({ id }) => id === by)?.compare;
  const sorted = useMemo(
    () => (compare ? rows.toSorted((a, b) => (isDescending ? compare(b, a) : compare(a, b))) : rows),
    [rows, compare, isDescending],
  );
  const sortBy = (id: Id): void => {
    const { descendingFirst = false } = columns.find((column) => column.id === id) ?? {};
    set({ by: id, isDescending: id === by ? !isDescending : descendingFirst });
  };
  return [sorted, { by, isDescending, sortBy }];
}

const pageRows = 10;
const tickWidthPx = 40;
const headClass = "sticky top-0 z-header border-line-2 border-b bg-surface text-left align-middle";

/** The layout of a table with columns. */
export interface TableLayout {
  readonly rowHeightPx: number;
  /** 0: the heads are for screen readers only. */
  readonly headHeightPx: number;
  /** Reserved below the last row, for what floats above the table. */
  readonly paddingEndPx: number;
  readonly boxClass?: string;
  /** Width of the column of checkboxes in px; 0: no such column. */
  readonly tickPx?: number;
}

interface DataTableProps<Row, Id extends string> {
  readonly label: string;
  readonly layout: TableLayout;
  /** The shown rows, in order. */
  readonly rows: readonly Row[];
  /** A function outside of components. */
  readonly idOf: (row: Row) => string;
  /** Memoized: every row re-renders when it changes. */
  readonly columns: readonly Column<Row, Id>[];
  readonly sorting?: Sorting<Id>;
  readonly selection: Selection<Row>;
  /** The names of the checkboxes. */
  readonly selectAllLabel: string;
  readonly selectLabel: (row: Row) => string;
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

/**
 * A table with keyboard navigation and selection; renders only the visible rows. Arrows, Page Up and Down, Home and End move, with Shift they
 * select; Space selects, Ctrl+A all, Escape none, Enter opens, Delete deletes. On a control inside a row, arrows lead to the same control of
 * the next one.
 */
export function DataTable<Row, Id extends string>(props: DataTableProps<Row, Id>) {
  const { label, layout, rows, idOf, columns, selection, isSelectable = everyRow } = props;
  const { rowHeightPx, headHeightPx, paddingEndPx, boxClass, tickPx = tickWidthPx } = layout;
  const { toggle, extendTo } = selection;
  const view = useRowWindow({ rows, idOf, rowHeightPx, headHeightPx, paddingEndPx });
  const onKeyDown = useKeys(props, view);
  const onTick = useCallback(
    (id: string, isRange: boolean) => (isRange ? extendTo(id, rows.filter(isSelectable)) : toggle(id)),
    [rows, isSelectable, toggle, extendTo],
  );
  const { onOpen } = props;
  const latestOpen = useRef(onOpen);
  latestOpen.current = onOpen;
  const open = useCallback((row: Row) => latestOpen.current(row), []);
  const isDisabled = props.isSelectionDisabled ?? false;
  return (
    <div ref={view.box} className={cx("min-h-0 flex-1 overflow-auto overscroll-contain", boxClass)}>
      <table
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: rows have the focus and can be ticked
        role="grid"
        aria-label={label}
        aria-multiselectable="true"
        aria-rowcount={rows.length + 1}
        style={{ minWidth: columns.reduce((sum, { widthPx }) => sum + widthPx, tickPx) }}
        className="w-full table-fixed border-separate border-spacing-0 text-compact"
        onKeyDown={onKeyDown}
        onFocus={({ target }) => view.onFocus(target.closest<HTMLElement>("[data-row]")?.dataset.row)}
      >
        <colgroup>
          {tickPx > 0 && <col style={{ width: tickPx }} />}
          {columns.map(({ id, widthPx, grows }) => (
            <col key={id} style={grows ? undefined : { width: widthPx }} />
          ))}
        </colgroup>
        <Head {...props} hasTick={tickPx > 0} />
        <tbody>
          {view.rows.map(({ row, index, gapPx }) => (
            <Fragment key={idOf(row)}>
              {gapPx > 0 && <Gap heightPx={gapPx} />}
              <TableRow<Row>
                row={row}
                id={idOf(row)}
                index={index}
                columns={columns}
                tabIndex={index === view.tabStop ? 0 : -1}
                heightPx={rowHeightPx}
                hasTick={tickPx > 0}
                isTickable={isSelectable(row)}
                isTicked={selection.has(idOf(row))}
                isDisabled={isDisabled}
                tickLabel={props.selectLabel(row)}
                onTick={onTick}
                onOpen={open}
              />
            </Fragment>
          ))}
          <Gap heightPx={view.endPx} />
        </tbody>
      </table>
    </div>
  );
}

function everyRow(): boolean {
  return true;
}

function Head<Row, Id extends string>({
  layout,
  rows,
  idOf,
  columns,
  sorting,
  selection,
  selectAllLabel,
  isSelectable = everyRow,
  isSelectionDisabled = false,
  hasTick,
}: DataTableProps<Row, Id> & { readonly hasTick: boolean }) {
  const selectable = rows.filter(isSelectable);
  const tickedCount = selectable.filter((row) => selection.has(idOf(row))).length;
  const height = { height: layout.headHeightPx };
  return (
    <thead className={layout.headHeightPx === 0 ? "sr-only" : undefined}>
      <tr aria-rowindex={1}>
        {hasTick && (
          <th style={height} className={cx(headClass, "pl-3")}>
            <Checkbox
              aria-label={selectAllLabel}
              checked={tickedCount === 0 ? false : tickedCount === selectable.length || "mixed"}
              disabled={isSelectionDisabled || selectable.length === 0}
              onChange={() => selection.toggleAll(selectable)}
            />
          </th>
        )}
        {columns.map((column) => (
          <th
            key={column.id}
            style={height}
            aria-sort={
              sorting?.by === column.id ? (sorting.isDescending ? "descending" : "ascending") : undefined
            }
            className={cx(headClass, column.headClass)}
          >
            {sorting && column.compare ? <SortButton column={column} sorting={sorting} /> : column.head}
          </th>
        ))}
      </tr>
    </thead>
  );
}

function SortButton<Row, Id extends string>({
  column: { id, head },
  sorting: { by, isDescending, sortBy },
}: {
  readonly column: Column<Row, Id>;
  readonly sorting: Sorting<Id>;
}) {
  return (
    <button
      type="button"
      className={cx(
        "inline-flex h-9 items-center gap-1 rounded-kbd font-medium text-meta outline-offset-[-2px] hover:text-text",
        by === id ? "font-semibold text-text" : "text-text-2",
      )}
      onClick={() => sortBy(id)}
    >
      {head}
      {by === id && <ReceiveIcon size={13} className={cx("stroke-[2.2]", !isDescending && "rotate-180")} />}
    </button>
  );
}

interface TableRowProps<Row> {
  readonly row: Row;
  readonly id: string;
  /** Its index among all rows, from 0. */
  readonly index: number;
  readonly columns: readonly Column<Row>[];
  readonly tabIndex: number;
  readonly heightPx: number;
  readonly hasTick: boolean;
  readonly isTickable: boolean;
  readonly isTicked: boolean;
  readonly isDisabled: boolean;
  readonly tickLabel: string;
  readonly onTick: (id: string, isRange: boolean) => void;
  readonly onOpen: (row: Row) => void;
}

function onControl({ target }: MouseEvent): boolean {
  return target instanceof Element && target.closest("button, input, label") !== null;
}

function PlainTableRow<Row>(props: TableRowProps<Row>) {
  const { row, id, index, columns, tabIndex, heightPx, hasTick, isTickable, isTicked, isDisabled } = props;
  const { tickLabel, onTick, onOpen } = props;
  const canTick = isTickable && !isDisabled;
  return (
    <tr
      data-row={id}
      tabIndex={tabIndex}
      aria-rowindex={index + 2}
      aria-selected={isTickable ? isTicked : undefined}
      style={{ height: heightPx }}
      className={cx(
        "group/row outline-offset-[-2px] *:border-line *:border-b",
        isTicked ? "bg-row-sel" : "bg-surface hover:bg-hover",
      )}
      onClick={(event) => {
        const isModified = event.shiftKey || event.ctrlKey || event.metaKey;
        if (canTick && isModified && !onControl(event)) onTick(id, event.shiftKey);
      }}
      onDoubleClick={(event) => {
        if (!onControl(event)) onOpen(row);
      }}
    >
      {hasTick && (
        <td className="p-0">
          {isTickable && (
            // biome-ignore lint/a11y/noLabelWithoutControl: the checkbox is its control
            <label className="flex h-11 items-center pl-3">
              <Checkbox
                aria-label={tickLabel}
                tabIndex={tabIndex}
                checked={isTicked}
                disabled={isDisabled}
                onChange={() => onTick(id, false)}
              />
            </label>
          )}
        </td>
      )}
      {columns.map((column) => (
        <td key={column.id} className={column.cellClass}>
          {column.cell(row, tabIndex)}
        </td>
      ))}
    </tr>
  );
}

// `memo` forgets type parameters.
const TableRow = memo(PlainTableRow) as typeof PlainTableRow;

/** The height of rows that are not rendered. */
function Gap({ heightPx }: { readonly heightPx: number }) {
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: without a tabindex this row cannot have the focus
    <tr aria-hidden="true">
      <td style={{ height: heightPx }} className="p-0" />
    </tr>
  );
}

function useKeys<Row, Id extends string>(props: DataTableProps<Row, Id>, view: RowWindow<Row>) {
  const { rows, idOf, selection, isSelectable = everyRow, isSelectionDisabled = false } = props;
  const { onOpen, onDelete, keys } = props;
  /** The index to focus once the focused row is deleted. */
  const deletedAt = useRef<number>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only other rows can have taken the deleted one's place
  useEffect(() => {
    if (deletedAt.current === null) return;
    view.focus(deletedAt.current);
    deletedAt.current = null;
  }, [rows]);

  const move = (event: KeyboardEvent, index: number): boolean => {
    const moves: Readonly<Record<string, number>> = {
      ArrowUp: index - 1,
      ArrowDown: index + 1,
      PageUp: index - pageRows,
      PageDown: index + pageRows,
      Home: 0,
      End: rows.length - 1,
    };
    const to = moves[event.key];
    if (to === undefined) return false;
    const next = Math.min(rows.length - 1, Math.max(0, to));
    const nextRow = rows[next];
    if (event.shiftKey && nextRow && !isSelectionDisabled)
      selection.extendTo(idOf(nextRow), rows.filter(isSelectable));
    view.focus(next);
    return true;
  };

  const act = (event: KeyboardEvent, row: Row, index: number): boolean => {
    if (keyOf(event) === "a" && (event.ctrlKey || event.metaKey) && !event.altKey) {
      if (!isSelectionDisabled) selection.toggleAll(rows.filter(isSelectable));
      return true;
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    const canTick = isSelectable(row) && !isSelectionDisabled;
    const remove = (): void => {
      void onDelete?.(row).then((isDeleted) => {
        if (isDeleted) deletedAt.current = index;
      });
    };
    const verbs: Readonly<Record<string, () => void>> = {
      " ": () => {
        if (canTick) selection.toggle(idOf(row));
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
        : move(event, index) || act(event, row, index);
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

/** The columns that a list can hide, and the current choice. */
export interface HiddenChoice<Id extends string> {
  readonly hidden: readonly Id[];
  readonly onHide: (hidden: readonly Id[]) => void;
}

/** The choice for a list, persisted in this browser under `key`; `byDefault` until there is one. */
export function useHidden<Id extends string>(
  key: string,
  all: readonly Id[],
  byDefault: readonly Id[],
): HiddenChoice<Id> {
  const { storage } = useDevice();
  const [chosen, setChosen] = useState(() => {
    const names = storage.read(key)?.split(" ");
    return names && all.filter((name) => names.includes(name));
  });
  const onHide = (hidden: readonly Id[]): void => {
    setChosen([...hidden]);
    storage.write(key, hidden.join(" "));
  };
  return { hidden: chosen ?? byDefault, onHide };
}

/** Menu items that show or hide parts of a list. */
export function HiddenChecks<Id extends string>({
  all,
  hidden,
  onHide,
  labelOf,
}: HiddenChoice<Id> & { readonly all: readonly Id[]; readonly labelOf: (id: Id) => string }) {
  return all.map((id) => (
    <MenuCheck
      key={id}
      checked={!hidden.includes(id)}
      onChange={(isShown) => {
        const others = hidden.filter((other) => other !== id);
        onHide(isShown ? others : [...others, id]);
      }}
    >
      {labelOf(id)}
    </MenuCheck>
  ));
}
