import { transferKeyOf } from "@warren/core";
import { useMemo } from "react";
import { useShallow } from "zustand/react/shallow";
import { useProfile, useStore, useWarren } from "../../ui/warren-context.tsx";
import { useLive } from "../use-live.ts";
import { useMessagesAbout } from "../use-messages-about.ts";
import { type FileProgress, type FileRow, fileHistories, fileRows, progressOf } from "./file-row.ts";

/** Every file of this browser as a row. Re-renders when a file's state changes, not with each byte. */
export function useFileRows(): readonly FileRow[] {
  const { files, chat } = useWarren();
  const { clientId: selfId } = useProfile();
  const library = useStore(files.store);
  useMessagesAbout(useMemo(() => Object.keys(library), [library]));
  const conversations = useStore(chat.store, (state) => state.conversations);
  const live = useLive();
  const histories = useMemo(() => fileHistories(conversations, selfId), [conversations, selfId]);
  return useMemo(() => fileRows(library, histories, live), [library, histories, live]);
}

/** A file's progress; re-renders as its bytes move. */
export function useFileProgress(row: FileRow): FileProgress | null {
  const { transfers } = useWarren();
  const moving = useStore(
    transfers.store,
    useShallow((state) => row.file.peers.map((peer) => state[transferKeyOf(peer, row.fid)])),
  );
  return progressOf(row, moving);
}
