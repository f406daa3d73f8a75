import { contentSizeOf } from "@warren/protocol";
import { useMemo } from "react";
import { useFormat } from "../../i18n/format.ts";
import { useT } from "../../i18n/use-t.ts";
import type { Column, Sorting } from "../../table/columns.ts";
import { DataTable, type TableLayout } from "../../table/data-table.tsx";
import type { Selection } from "../../ui/hooks/use-selection.ts";
import { FileTile } from "../file-tile.tsx";
import { treeName } from "../tree/tree-name.ts";
import { TreeNameLine } from "../tree/tree-name-line.tsx";
import {
  type FileColumn,
  FileProgressBar,
  FileStatusLabel,
  FileTags,
  type OptionalFileColumn,
  progressBelowClass,
  useFileColumns,
  usePeopleWords,
} from "./file-columns.tsx";
import { FileContextMenu, FileMenu, SaveButton } from "./file-menu.tsx";
import { type FileRow, idOfFile, isComplete } from "./file-row.ts";
import type { FileRowActions } from "./use-file-row-actions.ts";

/** The selection bar covers the end of the table; on a phone it has two rows. */
const layouts = {
  wide: { rowHeightPx: 48, headHeightPx: 36, paddingEndPx: 72, boxClass: "mt-2 mx-4" },
  narrow: { rowHeightPx: 72, headHeightPx: 0, paddingEndPx: 136, boxClass: "mt-1" },
} satisfies Record<string, TableLayout>;

interface FileTableProps {
  /** The shown files, in order. */
  readonly rows: readonly FileRow[];
  readonly sorting: Sorting<FileColumn>;
  readonly selection: Selection<FileRow>;
  readonly actions: FileRowActions;
  readonly hidden: readonly OptionalFileColumn[];
  /** On a phone a file is one column, and checkboxes appear once a row was selected from its menu. */
  readonly isNarrow: boolean;
}

/** The files as a table. */
export function FileTable({ rows, sorting, selection, actions, hidden, isNarrow }: FileTableProps) {
  const t = useT();
  const { toggle } = selection;
  const isSelecting = selection.items.length > 0;
  const wide = useFileColumns(hidden);
  const columns = useMemo((): readonly Column<FileRow, FileColumn | "actions">[] => {
    const ends: Column<FileRow, "actions"> = {
      id: "actions",
      head: <span className="sr-only">{t("files.actionsColumn")}</span>,
      headClass: "right-0",
      widthPx: isNarrow ? 92 : 96,
      cell: (row, tabIndex) => (
        <span className="flex justify-end">
          <SaveButton row={row} actions={actions} tabIndex={isNarrow ? 0 : tabIndex} />
          <FileMenu
            row={row}
            actions={actions}
            tabIndex={isNarrow ? 0 : tabIndex}
            shown={rows}
            {...(isNarrow && { onToggle: () => toggle(row.fid) })}
          />
        </span>
      ),
      // Stays visible if the table is wider than the window. It covers the end of the row's focus ring, and draws it itself.
      cellClass: isNarrow
        ? "pr-1"
        : "sticky right-0 bg-inherit px-3 group-focus-visible/row:border-b-focus group-focus-visible/row:shadow-[inset_0_2px_var(--focus),inset_-2px_-1px_var(--focus)]",
    };
    if (!isNarrow) return [...wide, ends];
    const file: Column<FileRow, FileColumn> = {
      id: "name",
      head: t("files.column.name"),
      widthPx: 160,
      grows: true,
      cell: (row, tabIndex) => (
        <NarrowCell
          row={row}
          tabIndex={tabIndex}
          isSelecting={isSelecting}
          onPress={() => (isSelecting ? toggle(row.fid) : actions.open(row, rows))}
        />
      ),
      cellClass: isSelecting ? undefined : "pl-4",
    };
    return [file, ends];
  }, [t, wide, isNarrow, isSelecting, rows, actions, toggle]);
  const chosen = (row: FileRow): readonly FileRow[] => (selection.has(row.fid) ? selection.items : [row]);
  const remove = async (row: FileRow): Promise<boolean> => {
    const isDeleted = await actions.remove(chosen(row));
    if (isDeleted) selection.clear();
    return isDeleted;
  };
  return (
    <FileContextMenu rows={rows} actions={actions} {...(isNarrow && { onToggle: toggle })}>
      <DataTable
        label={t("files.title")}
        layout={isNarrow ? { ...layouts.narrow, checkboxPx: isSelecting ? 52 : 0 } : layouts.wide}
        rows={rows}
        idOf={idOfFile}
        columns={columns}
        sorting={sorting}
        selection={selection}
        selectAllLabel={t("files.selectAll")}
        selectLabel={({ file }) => t("files.select", { name: treeName(file.description, t) })}
        onOpen={(row) => actions.open(row, rows)}
        onDelete={remove}
        keys={(row) => ({
          f: () => actions.forward(chosen(row)),
          s: () => actions.save(chosen(row)),
        })}
      />
    </FileContextMenu>
  );
}

interface NarrowCellProps {
  readonly row: FileRow;
  readonly tabIndex: number;
  /** Whether rows show checkboxes instead of thumbnails. */
  readonly isSelecting: boolean;
  readonly onPress: () => void;
}

/** All properties of a file in one column. */
function NarrowCell({ row, tabIndex, isSelecting, onPress }: NarrowCellProps) {
  const format = useFormat();
  const { file } = row;
  const people = usePeopleWords(row);
  return (
    <button
      type="button"
      tabIndex={tabIndex}
      className="flex h-[71px] w-full min-w-0 items-center gap-3 text-left max-[360px]:gap-2 outline-offset-[-2px]"
      onClick={onPress}
    >
      {!isSelecting && <FileTile file={file.description} isComplete={isComplete(row)} className="size-10" />}
      <span className="min-w-0 flex-1">
        <TreeNameLine file={file.description} className="font-medium text-body" />
        <span className="flex flex-wrap items-center gap-x-2 text-meta text-text-2 max-[360px]:gap-x-1.5">
          {format.size(contentSizeOf(file.description))}
          <span className="max-w-full truncate">{people}</span>
          {/* Most are complete: only what differs is said. */}
          {row.status !== "complete" && <FileStatusLabel status={row.status} />}
          {/* A row has space for three lines. */}
          {!row.isMoving && <FileTags row={row} />}
        </span>
        {row.isMoving && <FileProgressBar row={row} className={progressBelowClass} />}
      </span>
    </button>
  );
}
