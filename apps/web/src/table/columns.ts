import { type ReactNode, useMemo, useState } from "react";

/** A column of a table. */
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
