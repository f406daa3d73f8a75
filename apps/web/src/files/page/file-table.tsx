import type { FileId } from "@warren/protocol";
import { Fragment, useCallback } from "react";
import { useT } from "../../i18n/use-t.ts";
import { Checkbox } from "../../ui/checkbox.tsx";
import { cx } from "../../ui/cx.ts";
import { ReceiveIcon } from "../../ui/icons.ts";
import type { FileColumn } from "./file-columns.ts";
import { FileContextMenu } from "./file-context-menu.tsx";
import { FileTableRow } from "./file-table-row.tsx";
import type { FileActions } from "./use-file-actions.ts";
import type { FileSelection } from "./use-file-selection.ts";
import type { FileTable as Table } from "./use-file-table.ts";
import { useRowKeys } from "./use-row-keys.ts";
import { useRowWindow } from "./use-row-window.ts";

const rowHeightPx = 48;
const headHeightPx = 36;
const paddingEndPx = 72;
const tickWidthPx = 40;
const menuWidthPx = 96;

/** Widths in px; the name takes the remaining width, and the table scrolls if that is less than this. */
const widths: Readonly<Record<FileColumn, number>> = {
  name: 240,
  people: 160,
  size: 88,
  status: 136,
  progress: 128,
  lastModified: 148,
  createdAt: 148,
  mimeType: 180,
};

const headClass = "sticky top-0 z-header h-9 border-line-2 border-b bg-surface text-left align-middle";

/** Props of both list views. */
export interface FileViewProps {
  readonly table: Table;
  readonly selection: FileSelection;
  readonly actions: FileActions;
}

/** The files as a table; renders only the visible rows. */
export function FileTable({ table, selection, actions }: FileViewProps) {
  const t = useT();
  const { rows, columns } = table;
  const { toggle, extendTo } = selection;
  const view = useRowWindow({ rows, rowHeightPx, headHeightPx, paddingEndPx });
  const onKeyDown = useRowKeys({ rows, view, selection, actions });
  const minWidth = columns.reduce((sum, { id }) => sum + widths[id], tickWidthPx + menuWidthPx);
  const columnIds = columns.map(({ id }) => id).join(" ");
  const onTick = useCallback(
    (fid: FileId, isRange: boolean) => (isRange ? extendTo(fid, rows) : toggle(fid)),
    [rows, toggle, extendTo],
  );
  return (
    <div ref={view.box} className="mt-2 min-h-0 flex-1 overflow-auto overscroll-contain px-4">
      <FileContextMenu rows={rows} actions={actions}>
        <table
          // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: rows have the focus and can be ticked
          role="grid"
          aria-label={t("files.title")}
          aria-multiselectable="true"
          aria-rowcount={rows.length + 1}
          style={{ minWidth }}
          className="w-full table-fixed border-separate border-spacing-0 text-compact"
          onKeyDown={onKeyDown}
          onFocus={({ target }) => view.onFocus(target.closest<HTMLElement>("[data-fid]")?.dataset.fid)}
        >
          <TableHead table={table} selection={selection} />
          <tbody>
            {view.rows.map(({ row, index, gapPx }) => (
              <Fragment key={row.fid}>
                {gapPx > 0 && <Gap heightPx={gapPx} />}
                <FileTableRow
                  row={row}
                  index={index}
                  columnIds={columnIds}
                  shown={rows}
                  isTabStop={index === view.tabStop}
                  isTicked={selection.has(row.fid)}
                  onTick={onTick}
                  actions={actions}
                />
              </Fragment>
            ))}
            <Gap heightPx={view.endPx} />
          </tbody>
        </table>
      </FileContextMenu>
    </div>
  );
}

function TableHead({ table: { rows, columns }, selection }: Omit<FileViewProps, "actions">) {
  const t = useT();
  const tickedCount = rows.filter(({ fid }) => selection.has(fid)).length;
  return (
    <thead>
      <tr aria-rowindex={1}>
        <th style={{ width: tickWidthPx }} className={cx(headClass, "pl-3")}>
          <Checkbox
            aria-label={t("files.selectAll")}
            checked={tickedCount === 0 ? false : tickedCount === rows.length || "mixed"}
            onChange={() => selection.toggleAll(rows)}
          />
        </th>
        {columns.map(({ id, sorted, sort }) => (
          <th
            key={id}
            style={id === "name" ? undefined : { width: widths[id] }}
            aria-sort={sorted === false ? undefined : sorted === "asc" ? "ascending" : "descending"}
            className={cx(headClass, "px-2", id === "size" && "text-right")}
          >
            <button
              type="button"
              className={cx(
                "inline-flex h-9 items-center gap-1 rounded-kbd font-medium text-meta outline-offset-[-2px] hover:text-text",
                sorted === false ? "text-text-2" : "font-semibold text-text",
              )}
              onClick={sort}
            >
              {t(`files.column.${id}`)}
              {sorted !== false && (
                <ReceiveIcon size={13} className={cx("stroke-[2.2]", sorted === "asc" && "rotate-180")} />
              )}
            </button>
          </th>
        ))}
        <th style={{ width: menuWidthPx }} className={cx(headClass, "right-0")}>
          <span className="sr-only">{t("files.actionsColumn")}</span>
        </th>
      </tr>
    </thead>
  );
}

/** The height of rows that are not rendered. */
function Gap({ heightPx }: { readonly heightPx: number }) {
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: without a tabindex this row cannot have the focus
    <tr aria-hidden="true">
      <td style={{ height: heightPx }} className="p-0" />
    </tr>
  );
}
