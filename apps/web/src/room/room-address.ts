import { everyone, readJoinLink } from "@warren/core";
import { roomIdSchema, v } from "@warren/protocol";
import { useLocation } from "wouter";
import { isHome, paths } from "../wiring/paths.ts";
import { usePlatform } from "../wiring/platform-context.ts";
import { useWarren } from "../wiring/warren-context.ts";

/** The room that the page's address names, or that its history entry was in; null for none. */
export function roomOfAddress(pathname: string): string | null {
  // The router's own path is decoded, and not all of it.
  if (isHome(pathname)) return readJoinLink(location.href).roomId;
  return isEveryone(pathname) ? (historyState().room ?? null) : null;
}

/** The state of an entry in the browser's history. */
const historySchema = v.object({
  /** The room that the entry is of, where its address does not name it. */
  room: v.exactOptional(roomIdSchema),
  /** Whether Back or Forward led to it: a new entry would drop those after it. */
  isReturn: v.exactOptional(v.boolean()),
});
type HistoryState = v.InferOutput<typeof historySchema>;

/** The state of the page's history entry; an older version may have left another. */
export function historyState(): HistoryState {
  const read = v.safeParse(historySchema, history.state);
  return read.success ? read.output : {};
}

/** Adds to the state of the page's history entry. */
export function updateHistoryState(change: HistoryState): void {
  history.replaceState({ ...historyState(), ...change }, "");
}

/** Whether a page is the conversation with everyone, whose address is the same in every room. */
export function isEveryone(pathname: string): boolean {
  return pathname === paths.chat.href(everyone);
}

/** Returns what opens the page of a room, unless it is open; the start page is no entry of the history then. */
export function useShowRoom(): (roomId: string) => void {
  const [pathname, navigate] = useLocation();
  return (roomId) => {
    const named = roomOfAddress(pathname);
    if (named !== roomId) navigate(paths.room.href(roomId), { replace: isHome(pathname) && named === null });
  };
}

/** Returns whether a link is one to the room we are in, so that opening it would change nothing. */
export function useIsOwnLink(): (href: string) => boolean {
  const { home } = usePlatform();
  const { room, profile } = useWarren();
  return (href) => {
    const state = room.store.getState();
    if (state.status !== "connected" || !href.startsWith(home)) return false;
    const { roomId, password } = readJoinLink(href);
    return roomId === state.roomId && (password === null || password === profile.get().password);
  };
}
