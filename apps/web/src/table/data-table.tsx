import { Fragment, type MouseEvent, memo } from "react";
import { cx } from "../ui/cx.ts";
import { Checkbox } from "../ui/fields/checkbox.tsx";
import { useStableCallback } from "../ui/hooks/use-stable-callback.ts";
import { ReceiveIcon } from "../ui/icons.ts";
import type { Column, Sorting } from "./columns.ts";
import { useRowWindow } from "./use-row-window.ts";
import { everyRow, type TableKeys, useTableKeys } from "./use-table-keys.ts";

const checkboxWidthPx = 40;
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
  readonly checkboxPx?: number;
}

interface DataTableProps<Row, Id extends string> extends TableKeys<Row> {
  readonly label: string;
  readonly layout: TableLayout;
  /** Memoized: every row re-renders when it changes. */
  readonly columns: readonly Column<Row, Id>[];
  readonly sorting?: Sorting<Id>;
  /** The names of the checkboxes. */
  readonly selectAllLabel: string;
  readonly selectLabel: (row: Row) => string;
}

/**
 * A table with keyboard navigation and selection; renders only the visible rows. Arrows, Page Up and Down, Home and End move, with Shift they
 * select; Space selects, Ctrl+A all, Escape none, Enter opens, Delete deletes. On a control inside a row, arrows lead to the same control of
 * the next one.
 */
export function DataTable<Row, Id extends string>(props: DataTableProps<Row, Id>) {
  const { label, layout, rows, idOf, columns, selection, isSelectable = everyRow } = props;
  const { rowHeightPx, headHeightPx, paddingEndPx, boxClass, checkboxPx = checkboxWidthPx } = layout;
  const { toggle, extendTo } = selection;
  const view = useRowWindow({ rows, idOf, rowHeightPx, headHeightPx, paddingEndPx });
  const onKeyDown = useTableKeys(props, view);
  const onToggle = useStableCallback((id: string, isRange: boolean) =>
    isRange ? extendTo(id, rows.filter(isSelectable)) : toggle(id),
  );
  const open = useStableCallback(props.onOpen);
  const isDisabled = props.isSelectionDisabled ?? false;
  return (
    <div ref={view.box} className={cx("min-h-0 flex-1 overflow-auto overscroll-contain", boxClass)}>
      <table
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: rows have the focus and can be ticked
        role="grid"
        aria-label={label}
        aria-multiselectable="true"
        aria-rowcount={rows.length + 1}
        style={{ minWidth: columns.reduce((sum, { widthPx }) => sum + widthPx, checkboxPx) }}
        className="w-full table-fixed border-separate border-spacing-0 text-compact"
        onKeyDown={onKeyDown}
        onFocus={({ target }) => view.onFocus(target.closest<HTMLElement>("[data-row]")?.dataset.row)}
      >
        <colgroup>
          {checkboxPx > 0 && <col style={{ width: checkboxPx }} />}
          {columns.map(({ id, widthPx, grows }) => (
            <col key={id} style={grows ? undefined : { width: widthPx }} />
          ))}
        </colgroup>
        <Head {...props} hasCheckbox={checkboxPx > 0} />
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
                hasCheckbox={checkboxPx > 0}
                canBeSelected={isSelectable(row)}
                isSelected={selection.has(idOf(row))}
                isDisabled={isDisabled}
                selectLabel={props.selectLabel(row)}
                onToggle={onToggle}
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
  hasCheckbox,
}: DataTableProps<Row, Id> & { readonly hasCheckbox: boolean }) {
  const selectable = rows.filter(isSelectable);
  const selectedCount = selectable.filter((row) => selection.has(idOf(row))).length;
  const height = { height: layout.headHeightPx };
  return (
    <thead className={layout.headHeightPx === 0 ? "sr-only" : undefined}>
      <tr aria-rowindex={1}>
        {hasCheckbox && (
          <th style={height} className={cx(headClass, "pl-2")}>
            <Checkbox
              aria-label={selectAllLabel}
              checked={selectedCount === 0 ? false : selectedCount === selectable.length || "mixed"}
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
  readonly hasCheckbox: boolean;
  readonly canBeSelected: boolean;
  readonly isSelected: boolean;
  readonly isDisabled: boolean;
  readonly selectLabel: string;
  readonly onToggle: (id: string, isRange: boolean) => void;
  readonly onOpen: (row: Row) => void;
}

function onControl({ target }: MouseEvent): boolean {
  return target instanceof Element && target.closest("button, input, label") !== null;
}

function PlainTableRow<Row>(props: TableRowProps<Row>) {
  const { row, id, index, columns, tabIndex, heightPx, hasCheckbox, canBeSelected, isSelected, isDisabled } =
    props;
  const { selectLabel, onToggle, onOpen } = props;
  const canSelect = canBeSelected && !isDisabled;
  return (
    <tr
      data-row={id}
      tabIndex={tabIndex}
      aria-rowindex={index + 2}
      aria-selected={canBeSelected ? isSelected : undefined}
      style={{ height: heightPx }}
      className={cx(
        "group/row outline-offset-[-2px] *:border-line *:border-b",
        isSelected ? "bg-row-sel" : "bg-surface hover:bg-hover",
      )}
      onClick={(event) => {
        const isModified = event.shiftKey || event.ctrlKey || event.metaKey;
        if (canSelect && isModified && !onControl(event)) onToggle(id, event.shiftKey);
      }}
      onDoubleClick={(event) => {
        if (!onControl(event)) onOpen(row);
      }}
    >
      {hasCheckbox && (
        <td className="p-0">
          {canBeSelected && (
            // biome-ignore lint/a11y/noLabelWithoutControl: the checkbox is its control
            <label className="flex h-11 items-center pl-2">
              <Checkbox
                aria-label={selectLabel}
                tabIndex={tabIndex}
                checked={isSelected}
                disabled={isDisabled}
                onChange={() => onToggle(id, false)}
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
