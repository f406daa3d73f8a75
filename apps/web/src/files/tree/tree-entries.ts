import { type FileMessage, fileInTree, openTree, type Warren } from "@warren/core";
import type { FileId } from "@warren/protocol";
import type { TreeEntry, TreeFile } from "@warren/protocol/tree";
import { useEffect, useState } from "react";
import { isCompleteFile } from "../../file-state/combined-state.ts";
import { useWarren } from "../../wiring/warren-context.tsx";

/** Trees read since the page loaded, latest last: their cards unmount and remount as the log scrolls. */
const known = new Map<FileId, readonly TreeEntry[]>();
const knownMax = 20;

/** The entries of a tree that was read before; null otherwise. */
function knownEntries(fid: FileId): readonly TreeEntry[] | null {
  return known.get(fid) ?? null;
}

/**
 * Reads the entries of a tree, from its offer or from its bytes; null if neither is here. Rejects with
 * `tree-invalid` or `tree-too-large`.
 */
export async function treeEntries(
  files: Warren["files"],
  { file, manifest }: Pick<FileMessage, "file" | "manifest">,
): Promise<readonly TreeEntry[] | null> {
  const before = knownEntries(file.fid);
  if (before !== null) return before;
  const found =
    manifest === undefined ? await readStream(files, file) : await files.readManifest(manifest, file);
  if (found !== null) remember(file.fid, found);
  return found;
}

/** Opens a single file of a tree; null if the tree's bytes are not here. */
export async function openEntry(files: Warren["files"], fid: FileId, entry: TreeFile): Promise<File | null> {
  const stream = await files.open(fid);
  return stream && fileInTree(stream, entry);
}

async function readStream(
  files: Warren["files"],
  file: FileMessage["file"],
): Promise<readonly TreeEntry[] | null> {
  const stream = await files.open(file.fid);
  return stream && (await openTree(stream, file, files.readManifest)).entries;
}

function remember(fid: FileId, entries: readonly TreeEntry[]): void {
  known.set(fid, entries);
  for (const oldest of known.keys()) if (known.size > knownMax) known.delete(oldest);
}

type Entries = readonly TreeEntry[];

/** The entries of a tree, from its offer or from its bytes; null until known. */
export function useTreeEntries({ file, manifest, offers }: FileMessage, isMine: boolean): Entries | null {
  const { files } = useWarren();
  const { fid, tree } = file;
  const [entries, setEntries] = useState<Entries | null>(() => knownEntries(fid));
  const isComplete = isCompleteFile(offers, isMine);
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
