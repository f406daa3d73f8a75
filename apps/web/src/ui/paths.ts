import type { ConversationId } from "@warren/core";

/** The app's addresses. */
export const paths = {
  home: "/",
  /** A conversation. */
  chatPattern: "/client/:id/chat",
  chat: (id: ConversationId) => `/client/${encodeURIComponent(id)}/chat`,
  /** My files beside a peer's. */
  syncPattern: "/client/:id/sync",
  sync: (id: ConversationId) => `/client/${encodeURIComponent(id)}/sync`,
  files: "/file",
  share: "/share",
  video: "/video",
  settings: "/setting",
  doctor: "/doctor",
  closeWindow: "/close-window",
} as const;
