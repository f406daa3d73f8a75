import { type ChatMessage, everyone, isRoomConversation, isStarter, type TextMessage } from "@warren/core";
import type { ClientId } from "@warren/protocol";
import type { Translate } from "../../i18n/messages.ts";
import type { ForwardItem } from "../../tab/forward-item.ts";
import { oneLine } from "../../ui/one-line.ts";

/** Whether anything can be said in its conversation now. */
function isOpen({ conversation }: ChatMessage): boolean {
  return !isStarter(conversation) && (conversation === everyone || !isRoomConversation(conversation));
}

function isDeleted(message: ChatMessage): boolean {
  return message.type === "text" && message.deleted === true;
}

/** Whether a message can be answered. */
export function canReply(message: ChatMessage): boolean {
  const isClipboard = message.type === "text" && message.clipboard === true;
  return isOpen(message) && !isDeleted(message) && !isClipboard;
}

/** Whether a message can be deleted for everybody: one of ours. */
export function canDeleteForAll(message: ChatMessage, selfId: ClientId): boolean {
  return message.client === selfId && isOpen(message) && !isDeleted(message);
}

/** Whether a message can be edited: one of our texts. */
export function canChange(message: ChatMessage, selfId: ClientId): message is TextMessage {
  return message.type === "text" && canDeleteForAll(message, selfId);
}

/** A message as it is forwarded. */
export function forwardItemOf(message: ChatMessage): ForwardItem {
  if (message.type === "text") return { type: "text", text: message.data };
  const { fid, fileName } = message.file;
  return { type: "cache", fid, fileName };
}

/** A text on one line, or that it was deleted. */
export function textLine({ data, deleted, clipboard }: TextMessage, t: Translate): string {
  if (deleted) return t("conversation.deleted");
  return clipboard ? t("conversation.clipboardLine", { text: oneLine(data) }) : oneLine(data);
}
