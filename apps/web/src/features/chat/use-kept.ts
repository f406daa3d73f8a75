import type { ChatMessage, FileMessage } from "@warren/core";
import { useStore, useWarren } from "../../components/warren-context.tsx";
import { usePreview } from "../../dialogs/use-preview.ts";

/** Whether a file of a message is here whole. */
export function useKept(message: ChatMessage): boolean {
  const { files } = useWarren();
  return useStore(
    files.store,
    (state) => message.type === "file" && state[message.file.fid]?.state === "complete",
  );
}

/** Shows a file of a conversation; the arrow keys lead through the others there that are here whole. */
export function usePreviewIn({ file, conversation }: FileMessage): () => void {
  const { chat, files } = useWarren();
  const preview = usePreview();
  return () => {
    const kept = files.store.getState();
    const messages = chat.store.getState().conversations[conversation]?.messages ?? [];
    const among = messages.flatMap((message) => {
      if (message.type !== "file" || message.file.tree !== undefined) return [];
      const isShown = message.file.fid === file.fid || kept[message.file.fid]?.state === "complete";
      return isShown ? [message.file] : [];
    });
    // A file that was offered twice stands where it was first.
    const inOrder = [...new Map(among.map((shown) => [shown.fid, shown])).values()];
    preview(file, inOrder);
  };
}
