import type { FileId } from "@warren/protocol";
import { useEffect, useRef } from "react";
import { useStore, useWarren } from "../wiring/warren-context.ts";

/** Loads the messages about some files, so that the outcome of the files can be shown. */
export function useMessagesAbout(fids: readonly FileId[]): void {
  const { chat } = useWarren();
  const isLoaded = useStore(chat.store, ({ loaded }) => loaded);
  const asked = useRef<ReadonlySet<FileId>>(new Set());
  useEffect(() => {
    const unknown = fids.filter((fid) => !asked.current.has(fid));
    if (!isLoaded || unknown.length === 0) return;
    const before = asked.current;
    asked.current = new Set([...before, ...unknown]);
    chat.loadAbout(unknown).catch(() => {
      asked.current = before;
    });
  }, [chat, isLoaded, fids]);
}
