import { type FileMessage, findUnreadable, openTree } from "@warren/core";
import type { TreeEntry } from "@warren/protocol/tree";
import { useEffect, useState } from "react";
import { fileStateOf, isCompleteFile } from "../../file-state/file-state.ts";
import { useWarren } from "../../ui/warren-context.tsx";
import { knownEntries, treeEntries } from "./tree-entries.ts";

type Entries = readonly TreeEntry[];

/** The entries of a tree, from its offer or from its bytes; null until known. */
export function useTreeEntries({ file, manifest, transfers }: FileMessage, isMine: boolean): Entries | null {
  const { files } = useWarren();
  const { fid, tree } = file;
  const [entries, setEntries] = useState<Entries | null>(() => knownEntries(fid));
  const isComplete = isCompleteFile(transfers, isMine);
  const isHere = manifest !== undefined || isMine || isComplete;

  useEffect(() => {
    if (tree === undefined || entries !== null || !isHere) return;
    let isCurrent = true;
    treeEntries(files, { file, manifest }).then(
      (found) => isCurrent && setEntries(found),
      () => {}, // An unreadable list is not shown; the summary of the tree remains.
    );
    return () => {
      isCurrent = false;
    };
  }, [files, file, tree, manifest, entries, isHere]);
  return entries;
}

/** The file of my tree that disappeared or changed on the disk and so stopped it; null until found. */
export function useChangedFile({ file, transfers }: FileMessage, isMine: boolean): string | null {
  const { files } = useWarren();
  const [path, setPath] = useState<string | null>(null);
  const isChanged =
    isMine &&
    file.tree !== undefined &&
    Object.values(transfers).some((state) => fileStateOf(state, isMine) === "changed");

  useEffect(() => {
    if (!isChanged) return;
    let isCurrent = true;
    const find = async (): Promise<void> => {
      const stream = files.offered.changedFileOf(file.fid);
      const found = stream && (await findUnreadable(await openTree(stream, file)));
      if (isCurrent) setPath(found?.path ?? null);
    };
    find().catch(() => {}); // The card already says that something changed.
    return () => {
      isCurrent = false;
    };
  }, [files, file, isChanged]);
  return isChanged ? path : null;
}
