import type { ConversationId } from "@warren/core";

/** The app's addresses. */
export const paths = {
  home: "/",
  /** The same page while in a room; see `room/room-address.ts`. */
  roomPattern: "/r/:room",
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

/** Whether a path is that of the chat page without an open conversation, in a room or not. */
export function isHome(pathname: string): boolean {
  return pathname === paths.home || /^\/r\/[^/]+\/?$/.test(pathname);
}
