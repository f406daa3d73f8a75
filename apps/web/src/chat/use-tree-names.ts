import type { ChatMessage, FileMessage } from "@warren/core";
import type { FileId } from "@warren/protocol";
import { useEffect, useState } from "react";
import { treeEntries } from "../files/tree/tree-entries.ts";
import { foldedNames } from "../files/tree/tree-search.ts";
import { useWarren } from "../ui/warren-context.tsx";

/** The folded file names in the batches and folders of some messages, by tree. */
export type TreeNames = ReadonlyMap<FileId, string>;

/** Reads the file names in the batches and folders of some messages, one tree at a time, while wanted. */
export function useTreeNames(messages: readonly ChatMessage[], isWanted: boolean): TreeNames {
  const { files } = useWarren();
  const [names, setNames] = useState<TreeNames>(new Map());
  useEffect(() => {
    if (!isWanted) return;
    const library = files.store.getState();
    const next = messages.find(
      (message): message is FileMessage =>
        message.type === "file" &&
        message.file.tree !== undefined &&
        !names.has(message.file.fid) &&
        (message.manifest !== undefined || library[message.file.fid]?.state === "complete"),
    );
    if (next === undefined) return;
    let isCurrent = true;
    // An unreadable tree has no matches.
    const found = treeEntries(files, next).then(
      (entries) => foldedNames(entries ?? []),
      () => "",
    );
    void found.then((text) => isCurrent && setNames(new Map(names).set(next.file.fid, text)));
    return () => {
      isCurrent = false;
    };
  }, [files, messages, isWanted, names]);
  return names;
}
