import type { FileMessage } from "@warren/core";
import type { TreeEntry } from "@warren/protocol/tree";
import { useState } from "react";
import { isCompleteFile } from "../../file-state/combined-state.ts";
import { useTab } from "../../tab/tab-context.ts";
import { useAbortableEffect } from "../../ui/hooks/use-abortable-effect.ts";

type Entries = readonly TreeEntry[];

/** The entries of a tree, from its offer or from its bytes; null until known. */
export function useTreeEntries({ file, manifest, offers }: FileMessage, isMine: boolean): Entries | null {
  const { treeEntries } = useTab();
  const { fid, tree } = file;
  const [entries, setEntries] = useState<Entries | null>(() => treeEntries.known(fid));
  const isComplete = isCompleteFile(offers, isMine);
  const isHere = manifest !== undefined || isMine || isComplete;

  useAbortableEffect(
    (signal) => {
      if (tree === undefined || entries !== null || !isHere) return;
      treeEntries.read({ file, manifest }).then(
        (found) => !signal.aborted && setEntries(found),
        () => {}, // An unreadable list is not shown; the summary of the tree remains.
      );
    },
    [treeEntries, file, tree, manifest, entries, isHere],
  );
  return entries;
}
