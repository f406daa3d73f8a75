import { buildJoinLink, type ConversationId } from "@warren/core";

/** The address of a page without parameters. */
const page = (path: string) => ({ path, href: path });
/** The address of a page about a conversation. */
const pageOf = (name: string) => ({
  path: `/client/:id/${name}` as const,
  href: (id: ConversationId) => `/client/${encodeURIComponent(id)}/${name}`,
});

/** The app's pages: `path` is what the router matches, `href` leads there. */
export const paths = {
  home: page("/"),
  /** The same page while in a room. The address is the link to the room, with nothing that is secret. */
  room: {
    path: "/r/:room",
    href: (roomId: string) =>
      buildJoinLink("/", { roomId, password: null, servers: { stuns: [], turns: [] }, by: null }),
  },
  chat: pageOf("chat"),
  /** My files beside a peer's. */
  compare: pageOf("sync"),
  /** Both of them. */
  ofConversation: { path: "/client/:id/:page" },
  files: page("/file"),
  share: page("/share"),
  call: page("/video"),
  settings: page("/setting"),
  doctor: page("/doctor"),
  closeWindow: page("/close-window"),
  /** In development only. */
  controls: page("/controls"),
} as const;

/** Whether a path is that of the chat page without an open conversation, in a room or not. */
export function isHome(pathname: string): boolean {
  return pathname === paths.home.path || /^\/r\/[^/]+\/?$/.test(pathname);
}

/** Whether a path is that of a page about a conversation. */
export function isOfConversation(pathname: string): boolean {
  return pathname.startsWith("/client/");
}
