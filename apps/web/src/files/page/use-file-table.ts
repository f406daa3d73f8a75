import { type SortingState, useTable } from "@tanstack/react-table";
import { useMemo, useState } from "react";
import { matchesSearch } from "../../i18n/matches-search.ts";
import {
  type FileColumn,
  fileColumnDefs,
  fileColumns,
  fileTableFeatures,
  type OptionalFileColumn,
} from "./file-columns.ts";
import { type FileFilter, type FileRow, passesFilter } from "./file-row.ts";

/** The filter and columns of the list. */
interface FileTableInput {
  readonly rows: readonly FileRow[];
  readonly query: string;
  readonly filter: FileFilter;
  readonly hiddenColumns: readonly OptionalFileColumn[];
}

/** A column by which the list can be sorted. */
export interface SortableColumn {
  readonly id: FileColumn;
  readonly sorted: "asc" | "desc" | false;
  sort(): void;
}

/** The shown files and columns, in order. */
export interface FileTable {
  readonly rows: readonly FileRow[];
  readonly columns: readonly SortableColumn[];
}

/** Searches, filters and sorts: newest first, until another column is chosen. */
export function useFileTable({ rows, query, filter, hiddenColumns }: FileTableInput): FileTable {
  const [sorting, setSorting] = useState<SortingState>([{ id: "createdAt", desc: true }]);
  const found = useMemo(
    () =>
      rows.filter((row) => passesFilter(row, filter) && matchesSearch(row.file.description.fileName, query)),
    [rows, query, filter],
  );
  const columnVisibility = useMemo(
    () => Object.fromEntries(hiddenColumns.map((column) => [column, false])),
    [hiddenColumns],
  );
  const table = useTable({
    features: fileTableFeatures,
    columns: fileColumnDefs,
    data: found,
    getRowId: (row) => row.fid,
    state: { sorting, columnVisibility },
    onSortingChange: setSorting,
    enableSortingRemoval: false,
    enableMultiSort: false,
  });
  return {
    rows: table.getRowModel().rows.map((row) => row.original),
    columns: fileColumns.flatMap((id) => {
      const column = table.getColumn(id);
      if (!column?.getIsVisible()) return [];
      return { id, sorted: column.getIsSorted(), sort: () => column.toggleSorting() };
    }),
  };
}
