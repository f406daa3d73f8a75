import { type RoomState, roomIdOf, untilState, type Warren } from "@warren/core";
import { useEffect, useEffectEvent, useRef } from "react";
import { useLocation, useSearch } from "wouter";
import { isEveryone, roomOfAddress, updateHistoryState } from "../room/room-address.ts";
import { useRoomActions } from "../room/use-room-actions.ts";
import { isHome, paths } from "../wiring/paths.ts";
import { useRoom, useWarren } from "../wiring/warren-context.ts";
import { type AddressSituation, addressStep } from "./address-step.ts";

/**
 * Keeps the address of the chat page that of the room we are in, and the room that of the address: going to another room adds
 * to the browser's history, and Back and Forward go to the rooms in it, also to their conversation with everyone. After leaving,
 * the address names no room.
 */
export function useRoomAddress(): void {
  const { chat, profile, room } = useWarren();
  const { goTo, join } = useRoomActions();
  const state = useRoom();
  const [pathname, navigate] = useLocation();
  const search = useSearch();
  const last = useRef<Omit<AddressSituation, "page">>({
    room: state,
    named: isHome(pathname) ? roomOfAddress(pathname) : null,
  });

  /** Goes to the room of the address, which Back or Forward led to. */
  const enter = useEffectEvent(async (wanted: string): Promise<void> => {
    if (isHome(pathname)) updateHistoryState({ isReturn: true });
    await untilState(chat.store, ({ loaded }) => loaded);
    const visited = chat.rooms.getState().find(({ id }) => id === wanted);
    if (profile.get().roomId === wanted) void join();
    else if (visited === undefined || !(await goTo({ roomId: visited.id, password: visited.password }))) {
      // The room was forgotten, or the person chose to stay.
      navigate(addressOf(room.store.getState()), { replace: true });
    }
  });
  const follow = useEffectEvent((): void => {
    const page = isHome(pathname) ? "home" : isEveryone(pathname) ? "everyone" : "other";
    const now = { page, room: state, named: roomOfAddress(pathname) } as const;
    const step = addressStep(last.current, now);
    last.current = now;
    const roomId = roomIdOf(state);
    if (step === "enter" && now.named !== null) void enter(now.named);
    if (step === "record" && roomId !== null) updateHistoryState({ room: roomId });
    if (step === "replace" || step === "push") navigate(addressOf(state), { replace: step === "replace" });
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: what it follows
  useEffect(() => follow(), [state, pathname, search]);
}

function addressOf(room: RoomState): string {
  const roomId = roomIdOf(room);
  return roomId === null ? paths.home.href : paths.room.href(roomId);
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
