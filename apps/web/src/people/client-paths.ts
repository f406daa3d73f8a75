import type { ConversationId } from "@warren/core";

/** The address of a conversation. */
export function conversationPath(id: ConversationId): string {
  return `/client/${encodeURIComponent(id)}/chat`;
}

/** The address that compares my files with a peer's. */
export function syncPath(id: ConversationId): string {
  return `/client/${encodeURIComponent(id)}/sync`;
}
