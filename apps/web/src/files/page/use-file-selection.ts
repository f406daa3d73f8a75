import type { FileId } from "@warren/protocol";
import { useCallback, useMemo, useRef, useState } from "react";
import type { FileRow } from "./file-row.ts";

/** The selected rows. */
export interface FileSelection {
  /** The selected rows that still exist, including ones hidden by the search. */
  readonly rows: readonly FileRow[];
  has(fid: FileId): boolean;
  toggle(fid: FileId): void;
  /** Selects every row between the last toggled one and this one, in the shown order. */
  extendTo(fid: FileId, shown: readonly FileRow[]): void;
  /** Selects all shown rows, or clears the selection if all are selected. */
  toggleAll(shown: readonly FileRow[]): void;
  clear(): void;
}

export function useFileSelection(all: readonly FileRow[]): FileSelection {
  const [ticked, setTicked] = useState<ReadonlySet<FileId>>(new Set());
  const lastFid = useRef<FileId>(null);

  const toggle = useCallback((fid: FileId) => {
    lastFid.current = fid;
    setTicked((before) => {
      const after = new Set(before);
      if (!after.delete(fid)) after.add(fid);
      return after;
    });
  }, []);
  const extendTo = useCallback((fid: FileId, shown: readonly FileRow[]) => {
    const to = shown.findIndex((row) => row.fid === fid);
    const last = shown.findIndex((row) => row.fid === lastFid.current);
    const from = last === -1 ? to : last;
    lastFid.current = fid;
    const range = shown.slice(Math.min(from, to), Math.max(from, to) + 1);
    setTicked((before) => new Set([...before, ...range.map((row) => row.fid)]));
  }, []);
  const toggleAll = useCallback((shown: readonly FileRow[]) => {
    setTicked((before) =>
      shown.every(({ fid }) => before.has(fid))
        ? new Set()
        : new Set([...before, ...shown.map(({ fid }) => fid)]),
    );
  }, []);
  const clear = useCallback(() => setTicked(new Set()), []);

  return useMemo(
    () => ({
      rows: ticked.size === 0 ? [] : all.filter(({ fid }) => ticked.has(fid)),
      has: (fid) => ticked.has(fid),
      toggle,
      extendTo,
      toggleAll,
      clear,
    }),
    [all, ticked, toggle, extendTo, toggleAll, clear],
  );
}
