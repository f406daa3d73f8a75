import type { ChatMessage, FileMessage } from "@warren/core";
import type { TreeFile } from "@warren/protocol/tree";
import { usePreviewOfItems } from "../files/preview/preview-dialog.tsx";
import { entryItem, storedItem } from "../files/preview/preview-item.ts";
import { onDemand } from "../ui/on-demand.tsx";
import { useRun } from "../ui/use-run.ts";
import { useStore, useWarren } from "../ui/warren-context.tsx";

const gathering = onDemand(() => import("./conversation-items.ts"));

/** Whether a file of a message is complete in this browser. */
export function useIsStored(message: ChatMessage): boolean {
  const { files } = useWarren();
  return useStore(
    files.store,
    (state) => message.type === "file" && state[message.file.fid]?.state === "complete",
  );
}

/** Previews a file of a conversation, or one in a folder of it; the arrow keys move through all others. */
export function usePreviewIn(message: FileMessage): (entry?: TreeFile) => void {
  const warren = useWarren();
  const preview = usePreviewOfItems();
  const run = useRun();
  return (entry) => {
    const { file } = message;
    const shown = entry === undefined ? storedItem(file) : entryItem(file, entry);
    void run(async () => {
      const { conversationItems } = await gathering.load();
      await preview(await conversationItems(warren, message, shown), shown.key);
    });
  };
}
