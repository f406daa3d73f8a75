import { defaultRangeExtractor, useVirtualizer, type VirtualItem } from "@tanstack/react-virtual";
import type { FileId } from "@warren/protocol";
import { type RefObject, useEffect, useRef, useState } from "react";
import type { FileRow } from "./file-row.ts";

interface RowWindowInput {
  readonly rows: readonly FileRow[];
  readonly rowHeightPx: number;
  /** The sticky header above the first row. */
  readonly headHeightPx: number;
  /** Reserved below the last row, so that the selection bar covers none. */
  readonly paddingEndPx: number;
}

/** A row in the window, with the height of the omitted rows before it. */
export interface WindowRow {
  readonly row: FileRow;
  readonly index: number;
  readonly gapPx: number;
}

/** The rendered rows of a long list: the visible ones, and the tab stop. */
export interface RowWindow {
  /** The scrolling element. */
  readonly box: RefObject<HTMLDivElement | null>;
  readonly rows: readonly WindowRow[];
  /** The height of the omitted rows after the last one. */
  readonly endPx: number;
  /** The index of the only row in the tab order. */
  readonly tabStop: number;
  /** Focuses a row and scrolls it into view. */
  focus(index: number): void;
  /** Records which row has the focus. */
  onFocus(fid: FileId | undefined): void;
}

/** Renders a window of a list and moves the focus in it. Rows have a `data-fid` attribute. */
export function useRowWindow({ rows, rowHeightPx, headHeightPx, paddingEndPx }: RowWindowInput): RowWindow {
  const box = useRef<HTMLDivElement>(null);
  const [focusedFid, setFocusedFid] = useState<FileId>();
  const [request, setRequest] = useState<{ readonly fid: FileId }>();
  const tabStop = Math.max(
    0,
    rows.findIndex(({ fid }) => fid === focusedFid),
  );

  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeightPx,
    getItemKey: (index) => rows[index]?.fid ?? index,
    overscan: 8,
    scrollMargin: headHeightPx,
    scrollPaddingStart: headHeightPx,
    scrollPaddingEnd: paddingEndPx,
    paddingEnd: paddingEndPx,
    rangeExtractor: (range) => [...new Set([...defaultRangeExtractor(range), tabStop])].sort((a, b) => a - b),
  });

  useEffect(() => {
    if (request === undefined) return;
    const row = box.current?.querySelector<HTMLElement>(`[data-fid="${CSS.escape(request.fid)}"]`);
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
      const row = rows[Math.min(index, rows.length - 1)];
      if (row === undefined) return;
      virtualizer.scrollToIndex(Math.min(index, rows.length - 1));
      setFocusedFid(row.fid);
      setRequest({ fid: row.fid });
    },
    onFocus: setFocusedFid,
  };
}

function endOf(item: VirtualItem | undefined, headHeightPx: number): number {
  return item === undefined ? headHeightPx : item.end;
}
