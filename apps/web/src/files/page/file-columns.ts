import {
  columnVisibilityFeature,
  createColumnHelper,
  createSortedRowModel,
  rowSortingFeature,
  tableFeatures,
} from "@tanstack/react-table";
import { contentSizeOf } from "@warren/protocol";
import type { FileStatus } from "../file-state.ts";
import type { FileRow } from "./file-row.ts";

/** The columns in order. The name is always shown. */
export const fileColumns = [
  "name",
  "people",
  "size",
  "status",
  "progress",
  "lastModified",
  "createdAt",
  "mimeType",
] as const;
export type FileColumn = (typeof fileColumns)[number];

/** A column that can be hidden. */
export type OptionalFileColumn = Exclude<FileColumn, "name">;
export const optionalFileColumns = fileColumns.filter((column) => column !== "name");

/** Hidden by default: few users need the MIME type. */
export const hiddenAtFirst: readonly OptionalFileColumn[] = ["mimeType"];

/** The hidden columns, and how to change them. */
export interface ColumnChoice {
  readonly hiddenColumns: readonly OptionalFileColumn[];
  readonly onHideColumns: (columns: readonly OptionalFileColumn[]) => void;
}

/** The features of the table. */
export const fileTableFeatures = tableFeatures({
  columnVisibilityFeature,
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
});

/** States that need an action come first. */
const statusOrder: Readonly<Record<FileStatus, number>> = {
  transferring: 0,
  merging: 1,
  "not-started": 2,
  stopped: 3,
  incomplete: 4,
  missing: 5,
  offered: 6,
  complete: 7,
  declined: 8,
  cancelled: 9,
};

const names = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });
const column = createColumnHelper<typeof fileTableFeatures, FileRow>();
const byNumber = { sortFn: compareNumbers, sortDescFirst: true } as const;

/** The sort key of each column; the row renders the cells. */
export const fileColumnDefs = column.columns([
  column.accessor(({ file }) => file.description.fileName, { id: "name", sortFn: compareNames }),
  column.accessor(({ file, people }) => `${file.direction} ${people.join(" ")}`, {
    id: "people",
    sortFn: compareNames,
  }),
  column.accessor(({ file }) => contentSizeOf(file.description), { id: "size", ...byNumber }),
  column.accessor(({ status }) => statusOrder[status], { id: "status", sortFn: compareNumbers }),
  column.accessor(({ file }) => file.storedBytes / Math.max(1, file.description.fileSize), {
    id: "progress",
    ...byNumber,
  }),
  column.accessor(({ file }) => file.description.lastModified, { id: "lastModified", ...byNumber }),
  column.accessor(({ file }) => file.createdAt, { id: "createdAt", ...byNumber }),
  column.accessor(({ file }) => file.description.mimeType, { id: "mimeType", sortFn: compareNames }),
]);

interface Valued {
  getValue(id: string): unknown;
}

function compareNumbers(a: Valued, b: Valued, id: string): number {
  return Number(a.getValue(id)) - Number(b.getValue(id));
}

function compareNames(a: Valued, b: Valued, id: string): number {
  return names.compare(String(a.getValue(id)), String(b.getValue(id)));
}
