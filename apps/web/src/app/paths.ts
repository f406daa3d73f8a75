import { conversationPath } from "../people/client-paths.ts";

/** The app's addresses. */
export const paths = {
  home: "/",
  /** The pattern of a conversation's address. */
  chatPattern: "/client/:id/chat",
  chat: conversationPath,
  /** The pattern of the address that compares my files with a peer's. */
  syncPattern: "/client/:id/sync",
  files: "/file",
  share: "/share",
  video: "/video",
  settings: "/setting",
  closeWindow: "/close-window",
} as const;
