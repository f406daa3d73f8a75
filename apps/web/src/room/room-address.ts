import { everyone, readJoinLink } from "@warren/core";
import { roomIdSchema, v } from "@warren/protocol";
import { useLocation } from "wouter";
import { useDevice } from "../wiring/device-context.tsx";
import { isHome, paths } from "../wiring/paths.ts";
import { useWarren } from "../wiring/warren-context.tsx";

/** The room that the page's address names, or that its step of the history was in; null for none. */
export function roomOfAddress(pathname: string): string | null {
  // The router's own path is decoded, and not all of it.
  if (isHome(pathname)) return readJoinLink(location.href).roomId;
  const state: unknown = isEveryone(pathname) ? history.state : null;
  return v.is(noteSchema, state) ? state.room : null;
}

const noteSchema = v.looseObject({ room: roomIdSchema });

/** Whether a page is the conversation with everyone, whose address is the same in every room. */
export function isEveryone(pathname: string): boolean {
  return pathname === paths.chat.href(everyone);
}

/** Notes which room the page's step of the history is in, where its address does not name it. */
export function noteRoomOfStep(roomId: string): void {
  history.replaceState({ room: roomId }, "");
}

/** Notes that Back or Forward led to the page's step of the history. */
export function noteReturn(): void {
  history.replaceState({ isReturn: true }, "");
}

/** Whether Back or Forward led to the page's step of the history: a new step would drop those after it. */
export function isReturn(): boolean {
  return v.is(v.looseObject({ isReturn: v.literal(true) }), history.state);
}

/** Returns what opens the page of a room, unless it is open; the start page is no step of the history then. */
export function useShowRoom(): (roomId: string) => void {
  const [pathname, navigate] = useLocation();
  return (roomId) => {
    const named = roomOfAddress(pathname);
    if (named !== roomId) navigate(paths.room.href(roomId), { replace: isHome(pathname) && named === null });
  };
}

/** Returns whether a link is one to the room we are in, so that opening it would change nothing. */
export function useIsOwnLink(): (href: string) => boolean {
  const { home } = useDevice();
  const { room, profile } = useWarren();
  return (href) => {
    const state = room.store.getState();
    if (state.status !== "connected" || !href.startsWith(home)) return false;
    const { roomId, password } = readJoinLink(href);
    return roomId === state.roomId && (password === null || password === profile.get().password);
  };
}
