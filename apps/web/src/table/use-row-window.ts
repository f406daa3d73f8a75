import { defaultRangeExtractor, useVirtualizer, type VirtualItem } from "@tanstack/react-virtual";
import { type RefObject, useEffect, useRef, useState } from "react";

interface RowWindowInput<Row> {
  readonly rows: readonly Row[];
  readonly idOf: (row: Row) => string;
  readonly rowHeightPx: number;
  /** The sticky header above the first row. */
  readonly headHeightPx: number;
  /** Reserved below the last row, for what floats above the list. */
  readonly paddingEndPx: number;
}

/** A row in the window, with the height of the omitted rows before it. */
interface WindowRow<Row> {
  readonly row: Row;
  readonly index: number;
  readonly gapPx: number;
}

/** The rendered rows of a long list: the visible ones, and the tab stop. */
export interface RowWindow<Row> {
  /** The scrolling element. */
  readonly box: RefObject<HTMLDivElement | null>;
  readonly rows: readonly WindowRow<Row>[];
  /** The height of the omitted rows after the last one. */
  readonly endPx: number;
  /** The index of the only row in the tab order. */
  readonly tabStop: number;
  /** Focuses a row and scrolls it into view. */
  focus(index: number): void;
  /** Records which row has the focus. */
  onFocus(id: string | undefined): void;
}

/** Renders a window of a list and moves the focus in it. Rows have a `data-row` attribute with their id. */
export function useRowWindow<Row>(input: RowWindowInput<Row>): RowWindow<Row> {
  const { rows, idOf, rowHeightPx, headHeightPx, paddingEndPx } = input;
  const box = useRef<HTMLDivElement>(null);
  const [focusedId, setFocusedId] = useState<string>();
  const [request, setRequest] = useState<{ readonly id: string }>();
  const idAt = (index: number): string | undefined => {
    const row = rows[index];
    return row && idOf(row);
  };
  const tabStop = Math.max(
    0,
    rows.findIndex((row) => idOf(row) === focusedId),
  );

  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeightPx,
    getItemKey: (index) => idAt(index) ?? index,
    overscan: 8,
    scrollMargin: headHeightPx,
    scrollPaddingStart: headHeightPx,
    scrollPaddingEnd: paddingEndPx,
    paddingEnd: paddingEndPx,
    rangeExtractor: (range) => [...new Set([...defaultRangeExtractor(range), tabStop])].sort((a, b) => a - b),
  });

  useEffect(() => {
    if (request === undefined) return;
    const row = box.current?.querySelector<HTMLElement>(`[data-row="${CSS.escape(request.id)}"]`);
    row?.focus({ preventScroll: true });
  }, [request]);

  const items = virtualizer.getVirtualItems();
  return {
    box,
    rows: items.flatMap((item, i) => {
      const row = rows[item.index];
      return row === undefined
        ? []
        : { row, index: item.index, gapPx: item.start - endOf(items[i - 1], headHeightPx) };
    }),
    endPx: virtualizer.getTotalSize() + headHeightPx - endOf(items.at(-1), headHeightPx),
    tabStop,
    focus(index) {
      const last = Math.min(index, rows.length - 1);
      const id = idAt(last);
      if (id === undefined) return;
      virtualizer.scrollToIndex(last);
      setFocusedId(id);
      setRequest({ id });
    },
    onFocus: setFocusedId,
  };
}

function endOf(item: VirtualItem | undefined, headHeightPx: number): number {
  return item === undefined ? headHeightPx : item.end;
}
