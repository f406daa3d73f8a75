import { useMemo, useState } from "react";

/** The selected items of a list. */
export interface Selection<Item> {
  /** Those that still exist, in the order of the list, including ones hidden by a search. */
  readonly items: readonly Item[];
  has(id: string): boolean;
  toggle(id: string): void;
  /**
   * Selects every item from the anchor to this one, in place of the range selected last. The anchor is the item that was last
   * toggled, or else `from`.
   * @param shown the items in the order in which they are shown.
   */
  extendTo(id: string, shown: readonly Item[], from?: string): void;
  /** Selects all shown items, or clears the selection if all are selected. */
  toggleAll(shown: readonly Item[]): void;
  /** Deselects some items. */
  remove(items: readonly Item[]): void;
  clear(): void;
}

interface Selected {
  readonly ids: ReadonlySet<string>;
  readonly anchor: string | null;
  /** The range that the next one replaces. */
  readonly range: ReadonlySet<string>;
}

const none: Selected = { ids: new Set(), anchor: null, range: new Set() };

/** @param selectable every item that can be selected; `idOf` has to be a function outside of components. */
export function useSelection<Item>(
  selectable: readonly Item[],
  idOf: (item: Item) => string,
): Selection<Item> {
  const [{ ids }, set] = useState(none);

  const actions = useMemo(
    () => ({
      toggle(id: string): void {
        set((before) => {
          const after = new Set(before.ids);
          if (!after.delete(id)) after.add(id);
          return { ids: after, anchor: id, range: new Set() };
        });
      },
      extendTo(id: string, shown: readonly Item[], from = id): void {
        const order = shown.map(idOf);
        const to = order.indexOf(id);
        if (to === -1) return;
        set((before) => {
          const anchor =
            [before.anchor, from, id].find((each) => each !== null && order.includes(each)) ?? id;
          const start = order.indexOf(anchor);
          const range = order.slice(Math.min(start, to), Math.max(start, to) + 1);
          const outside = [...before.ids].filter((each) => !before.range.has(each));
          return { ids: new Set([...outside, ...range]), anchor, range: new Set(range) };
        });
      },
      toggleAll(shown: readonly Item[]): void {
        set((before) =>
          shown.every((item) => before.ids.has(idOf(item)))
            ? none
            : { ...none, ids: new Set([...before.ids, ...shown.map(idOf)]) },
        );
      },
      remove(items: readonly Item[]): void {
        const gone = new Set(items.map(idOf));
        set((before) => ({ ...none, ids: new Set([...before.ids].filter((id) => !gone.has(id))) }));
      },
      clear: () => set(none),
    }),
    [idOf],
  );

  const items = useMemo(
    () => (ids.size === 0 ? [] : selectable.filter((item) => ids.has(idOf(item)))),
    [selectable, idOf, ids],
  );
  return { items, has: (id) => ids.has(id), ...actions };
}
