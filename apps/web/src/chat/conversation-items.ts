import type { FileMessage, Warren } from "@warren/core";
import { entryItem, keptItem, type PreviewItem } from "../files/preview/preview-item.ts";
import { claimsPreview } from "../files/preview-kind.ts";
import { treeEntries } from "../files/tree/tree-entries.ts";
import { filesOf, treeNodes } from "../files/tree/tree-nodes.ts";

/**
 * What of a conversation can be shown, in the order of its messages: files that are here whole, and those in folders as
 * they are listed. `shown` is among them whatever it claims to be; a file that was offered twice stands where it was first.
 */
export async function conversationItems(
  { chat, files }: Pick<Warren, "chat" | "files">,
  { conversation }: FileMessage,
  shown: PreviewItem,
): Promise<readonly PreviewItem[]> {
  const kept = files.store.getState();
  const messages = chat.store.getState().conversations[conversation]?.messages ?? [];
  const itemsOf = async (message: FileMessage): Promise<readonly PreviewItem[]> => {
    const { file } = message;
    if (file.tree === undefined) return [keptItem(file)];
    // A list that can not be read has nothing to show.
    const entries = await treeEntries(files, message).catch(() => null);
    return entries === null ? [] : filesOf(treeNodes(entries)).map((entry) => entryItem(file, entry));
  };
  const all = await Promise.all(
    messages
      .filter((message) => message.type === "file")
      .filter(({ file: { fid } }) => fid === shown.file.fid || kept[fid]?.state === "complete")
      .map(itemsOf),
  );
  const items = all.flat().filter((item) => item.key === shown.key || claimsPreview(item));
  const inOrder = new Map(items.map((item) => [item.key, item]));
  return inOrder.has(shown.key) ? [...inOrder.values()] : [shown];
}
