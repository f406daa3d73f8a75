import type { FileMessage, Warren } from "@warren/core";
import type { TreeFile } from "@warren/protocol/tree";
import { previewItems } from "../../files/preview/preview-dialog.tsx";
import { entryItem, type PreviewItem, storedItem } from "../../files/preview/preview-item.ts";
import { claimsPreview } from "../../files/preview/preview-kind.ts";
import { filesOf, treeNodes } from "../../files/tree/tree-nodes.ts";
import { isStored } from "../../files/use-is-stored.ts";
import { useTab } from "../../tab/tab-context.ts";
import type { TreeEntries } from "../../tab/tree-entries.ts";
import { usePlatform } from "../../wiring/platform-context.ts";
import { useWarren } from "../../wiring/warren-context.ts";
import { withErrorToast } from "../../wiring/with-error-toast.ts";

/** Previews a file of a conversation, or one in a folder of it; the arrow keys move through all others. */
export function useConversationPreview(): (message: FileMessage, entry?: TreeFile) => void {
  const warren = useWarren();
  const platform = usePlatform();
  const { treeEntries } = useTab();
  return (message, entry) => {
    const { file } = message;
    const shown = entry === undefined ? storedItem(file) : entryItem(file, entry);
    void withErrorToast(async () =>
      previewItems(warren, platform, await conversationItems(warren, treeEntries, message, shown), shown.key),
    );
  };
}

/**
 * The previewable files of a conversation, in message order: complete files, and those in folders in list
 * order. Always includes `shown`, whatever its type claims; a file offered twice appears at its first
 * position.
 */
async function conversationItems(
  { chat, files }: Pick<Warren, "chat" | "files">,
  treeEntries: TreeEntries,
  { conversation }: FileMessage,
  shown: PreviewItem,
): Promise<readonly PreviewItem[]> {
  const stored = files.store.getState();
  const complete = [...stored.keys()].filter((fid) => isStored(stored.get(fid)));
  // Without them the files of loaded messages are shown.
  await chat.loadAbout(complete).catch(() => {});
  const messages = chat.store.getState().conversations[conversation]?.messages ?? [];
  const itemsOf = async (message: FileMessage): Promise<readonly PreviewItem[]> => {
    const { file } = message;
    if (file.tree === undefined) return [storedItem(file)];
    // An unreadable list has nothing to show.
    const entries = await treeEntries.read(message).catch(() => null);
    return entries === null ? [] : filesOf(treeNodes(entries)).map((entry) => entryItem(file, entry));
  };
  const all = await Promise.all(
    messages
      .filter((message) => message.type === "file")
      .filter(({ file: { fid } }) => fid === shown.file.fid || isStored(stored.get(fid)))
      .map(itemsOf),
  );
  const items = all.flat().filter((item) => item.key === shown.key || claimsPreview(item));
  const inOrder = new Map(items.map((item) => [item.key, item]));
  return inOrder.has(shown.key) ? [...inOrder.values()] : [shown];
}
