import { defaultRangeExtractor, useVirtualizer, type VirtualItem } from "@tanstack/react-virtual";
import type { FileId } from "@warren/protocol";
import { type RefObject, useEffect, useRef, useState } from "react";
import type { FileRow } from "./file-row.ts";

interface RowWindowInput {
  readonly rows: readonly FileRow[];
  readonly rowHeightPx: number;
  /** What stands over the first row and stays there while scrolling. */
  readonly headHeightPx: number;
  /** Left free under the last row, so that the selection bar covers none. */
  readonly paddingEndPx: number;
}

/** A row in the window, with the height of what is left out before it. */
export interface WindowRow {
  readonly row: FileRow;
  readonly index: number;
  readonly gapPx: number;
}

/** The rows that are drawn of a long list: those in sight, and the one that Tab reaches. */
export interface RowWindow {
  /** The element that scrolls. */
  readonly box: RefObject<HTMLDivElement | null>;
  readonly rows: readonly WindowRow[];
  /** The height of what is left out after the last row. */
  readonly endPx: number;
  /** The place of the one row that Tab reaches. */
  readonly tabStop: number;
  /** Moves the focus to a row, and the row into sight. */
  focus(index: number): void;
  /** Notes which row the focus is in. */
  onFocus(fid: FileId | undefined): void;
}

/** Draws a window of a list and moves the focus in it. Rows carry `data-fid`. */
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
