import type { ConversationId } from "@warren/core";

/** The app's addresses (SPEC §2). */
export const paths = {
  home: "/",
  /** The pattern of a conversation's address. */
  chatPattern: "/client/:id/chat",
  chat: (conversation: ConversationId) => `/client/${encodeURIComponent(conversation)}/chat`,
  files: "/file",
  video: "/video",
  settings: "/setting",
  closeWindow: "/close-window",
} as const;
