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
    const shown = new Map([[file.fid, file]]);
    for (const message of messages) {
      if (message.type !== "file" || message.file.tree !== undefined) continue;
      if (kept[message.file.fid]?.state === "complete") shown.set(message.file.fid, message.file);
    }
    const inOrder = messages.flatMap((message) => {
      const found = message.type === "file" ? shown.get(message.file.fid) : undefined;
      return found === undefined || !shown.delete(found.fid) ? [] : [found];
    });
    preview(file, inOrder);
  };
}
