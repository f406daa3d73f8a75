import { type ChatMessage, everyone, isRoomConversation, isStarter } from "@warren/core";
import { changeDraft } from "./drafts.ts";

/** Whether there is a composer in its conversation to answer with. */
export function canReply({ conversation }: ChatMessage): boolean {
  return !isStarter(conversation) && (conversation === everyone || !isRoomConversation(conversation));
}

/** The draft of its conversation answers a message from now on. */
export function replyTo({ conversation, key }: ChatMessage): void {
  changeDraft(conversation, { replyTo: key });
}
