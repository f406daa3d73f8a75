import type { RoomState, Warren } from "@warren/core";
import { useEffect, useEffectEvent, useRef } from "react";
import { useLocation, useSearch } from "wouter";
import { isEveryone, noteReturn, noteRoomOfStep, roomOfAddress } from "../room/room-address.ts";
import { useRoomActions } from "../room/use-room-actions.ts";
import { isHome, paths } from "../wiring/paths.ts";
import { useRoom, useWarren } from "../wiring/warren-context.tsx";

/**
 * Keeps the address of the chat page that of the room we are in, and the room that of the address: going to another room adds
 * to the browser's history, and Back and Forward go to the rooms in it, also to their conversation with everyone. After leaving,
 * the address names no room.
 */
export function useRoomAddress(): void {
  const { chat, profile, room } = useWarren();
  const { goTo, join } = useRoomActions();
  const state = useRoom();
  const roomId = "roomId" in state ? state.roomId : null;
  const [pathname, navigate] = useLocation();
  const search = useSearch();
  const last = useRef<{ readonly state: RoomState; readonly named: string | null }>({
    state,
    named: isHome(pathname) ? roomOfAddress(pathname) : null,
  });

  /** Goes to the room of the address, which Back or Forward led to. */
  const enter = useEffectEvent(async (wanted: string): Promise<void> => {
    if (isHome(pathname)) noteReturn();
    await untilLoaded(chat);
    const kept = chat.rooms.getState().find(({ id }) => id === wanted);
    if (profile.get().roomId === wanted) void join();
    else if (kept === undefined || !(await goTo({ roomId: kept.id, password: kept.password }))) {
      // It was forgotten, or the person stays.
      const now = room.store.getState();
      navigate("roomId" in now ? paths.room.href(now.roomId) : paths.home.href, { replace: true });
    }
  });
  const follow = useEffectEvent((): void => {
    const named = roomOfAddress(pathname);
    const before = last.current;
    last.current = { state, named };
    if (named === roomId) return;
    const isMoved = ("roomId" in before.state ? before.state.roomId : null) !== roomId;
    if (isEveryone(pathname)) {
      // Outside of a room it belongs to the one that is joined next.
      if (roomId === null) return;
      if (isMoved || named === null) noteRoomOfStep(roomId);
      else if (named !== before.named) void enter(named);
      return;
    }
    if (!isHome(pathname)) return;
    // One that could not be joined is tried again by a reload.
    const isFailed =
      state.status === "disconnected" && state.error !== null && before.state.status === "connecting";
    if (named === null && roomId !== null) navigate(paths.room.href(roomId), { replace: true });
    else if (named !== null && !isMoved && named !== before.named) void enter(named);
    else if (isMoved && roomId !== null) navigate(paths.room.href(roomId));
    else if (isMoved && !isFailed) navigate(paths.home.href, { replace: true });
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: what it follows
  useEffect(() => follow(), [state, pathname, search]);
}

/**
 * Puts the room that is joined as the page opens into its address, which no longer names it, before the first render: after it,
 * every page would be rendered again.
 */
export function nameJoinedRoom({ room }: Pick<Warren, "room">): void {
  const state = room.store.getState();
  const home = import.meta.env.BASE_URL;
  if ("roomId" in state && location.pathname === home)
    history.replaceState(history.state, "", home.slice(0, -1) + paths.room.href(state.roomId));
}

function untilLoaded({ store }: Warren["chat"]): Promise<void> {
  return new Promise((resolve) => {
    const check = (): void => {
      if (!store.getState().loaded) return;
      stop();
      resolve();
    };
    const stop = store.subscribe(check);
    check();
  });
}
