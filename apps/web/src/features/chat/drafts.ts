import type { ConversationId } from "@warren/core";

const drafts = new Map<ConversationId, string>();

/** What was being written in a conversation, as long as the page lives. */
export function draftOf(conversation: ConversationId): string {
  return drafts.get(conversation) ?? "";
}

/** Keeps what is being written; an empty text is forgotten. */
export function keepDraft(conversation: ConversationId, text: string): void {
  if (text === "") drafts.delete(conversation);
  else drafts.set(conversation, text);
}

/** Whether anything is written and not sent. */
export function hasDrafts(): boolean {
  return drafts.size > 0;
}
