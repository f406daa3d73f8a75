import { useCallback, useMemo, useRef, useState } from "react";

/** The selected rows of a list. */
export interface Selection<Row> {
  /** The selected rows that still exist, including ones hidden by a search. */
  readonly rows: readonly Row[];
  has(id: string): boolean;
  toggle(id: string): void;
  /** Selects every row between the last toggled one and this one, in the shown order. */
  extendTo(id: string, shown: readonly Row[]): void;
  /** Selects all shown rows, or clears the selection if all are selected. */
  toggleAll(shown: readonly Row[]): void;
  /** Deselects some rows. */
  remove(rows: readonly Row[]): void;
  clear(): void;
}

/** @param selectable every row that can be selected; `idOf` has to be a function outside of components. */
export function useSelection<Row>(selectable: readonly Row[], idOf: (row: Row) => string): Selection<Row> {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const lastId = useRef<string>(null);

  const toggle = useCallback((id: string) => {
    lastId.current = id;
    setIds((before) => {
      const after = new Set(before);
      if (!after.delete(id)) after.add(id);
      return after;
    });
  }, []);
  const extendTo = useCallback(
    (id: string, shown: readonly Row[]) => {
      const to = shown.findIndex((row) => idOf(row) === id);
      const last = shown.findIndex((row) => idOf(row) === lastId.current);
      const from = last === -1 ? to : last;
      lastId.current = id;
      const range = shown.slice(Math.min(from, to), Math.max(from, to) + 1);
      setIds((before) => new Set([...before, ...range.map(idOf)]));
    },
    [idOf],
  );
  const toggleAll = useCallback(
    (shown: readonly Row[]) => {
      setIds((before) =>
        shown.every((row) => before.has(idOf(row))) ? new Set() : new Set([...before, ...shown.map(idOf)]),
      );
    },
    [idOf],
  );
  const remove = useCallback(
    (rows: readonly Row[]) =>
      setIds((before) => {
        const gone = new Set(rows.map(idOf));
        return new Set([...before].filter((id) => !gone.has(id)));
      }),
    [idOf],
  );
  const clear = useCallback(() => setIds(new Set()), []);

  return useMemo(() => {
    const rows = ids.size === 0 ? [] : selectable.filter((row) => ids.has(idOf(row)));
    const selected = new Set(rows.map(idOf));
    return { rows, has: (id) => selected.has(id), toggle, extendTo, toggleAll, remove, clear };
  }, [selectable, idOf, ids, toggle, extendTo, toggleAll, remove, clear]);
}
