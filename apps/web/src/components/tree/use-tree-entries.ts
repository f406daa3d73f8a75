import { type FileMessage, openTree, readManifest } from "@warren/core";
import type { TreeEntry } from "@warren/protocol/tree";
import { useEffect, useState } from "react";
import { useWarren } from "../warren-context.tsx";

type Entries = readonly TreeEntry[];

/** Trees that were read since the page loaded, the latest last: their cards come and go as the log scrolls. */
const known = new Map<string, Entries>();
const knownMax = 20;

/** What is in a tree: from its offer, or once its bytes are here; null until then. */
export function useTreeEntries({ file, manifest, transfers }: FileMessage): Entries | null {
  const { files } = useWarren();
  const { fid, tree } = file;
  const [entries, setEntries] = useState<Entries | null>(() => known.get(fid) ?? null);
  const isComplete = Object.values(transfers).some(({ status }) => status === "complete");
  const isHere = manifest !== undefined || isComplete;

  useEffect(() => {
    if (tree === undefined || entries !== null || !isHere) return;
    let isCurrent = true;
    const read = async (): Promise<Entries | null> => {
      if (manifest !== undefined) return readManifest(manifest, file);
      const stream = await files.open(fid);
      return stream && (await openTree(stream, file)).entries;
    };
    read().then(
      (found) => {
        if (found === null) return;
        remember(fid, found);
        if (isCurrent) setEntries(found);
      },
      () => {}, // a list that can not be read is not shown; what is said of the tree stays
    );
    return () => {
      isCurrent = false;
    };
  }, [files, fid, file, tree, manifest, entries, isHere]);
  return entries;
}

function remember(fid: string, entries: Entries): void {
  known.delete(fid);
  known.set(fid, entries);
  for (const oldest of known.keys()) if (known.size > knownMax) known.delete(oldest);
}
