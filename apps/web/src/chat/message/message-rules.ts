import {
  type ChatMessage,
  everyone,
  type FileMessage,
  isRoomConversation,
  isStarter,
  type TextMessage,
} from "@warren/core";
import type { ClientId } from "@warren/protocol";
import { isCompleteFile } from "../../file-state/combined-state.ts";
import { claimsPicture } from "../../pictures/picture-type.ts";

/** Whether anything can be said in its conversation now. */
function isWritable({ conversation }: ChatMessage): boolean {
  return !isStarter(conversation) && (conversation === everyone || !isRoomConversation(conversation));
}

function isDeleted(message: ChatMessage): boolean {
  return message.type === "text" && message.deleted === true;
}

/** Whether a message can be answered. */
export function canReply(message: ChatMessage): boolean {
  const isClipboard = message.type === "text" && message.clipboard === true;
  return message.type !== "call" && isWritable(message) && !isDeleted(message) && !isClipboard;
}

/** Whether a message can be deleted for everybody: one of ours. */
export function canDeleteForAll(message: ChatMessage, selfId: ClientId): boolean {
  return message.type !== "call" && message.client === selfId && isWritable(message) && !isDeleted(message);
}

/** Whether a message can be edited: one of our texts. */
export function canEdit(message: ChatMessage, selfId: ClientId): message is TextMessage {
  return message.type === "text" && canDeleteForAll(message, selfId);
}

/** Whether a file is complete and shown as a picture, without a card that says what became of it. */
export function showsPicture({ file, offers }: FileMessage, isMine: boolean): boolean {
  return file.tree === undefined && claimsPicture(file) && isCompleteFile(offers, isMine);
}
