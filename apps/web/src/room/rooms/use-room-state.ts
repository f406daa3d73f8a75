import { everyone, type VisitedRoom } from "@warren/core";
import { useRoomStatus, useStore, useWarren } from "../../wiring/warren-context.ts";

/** The unread messages of a room, and whether we are in it. */
export function useRoomState({ tag }: VisitedRoom): { readonly unread: number; readonly isHere: boolean } {
  const { chat } = useWarren();
  const status = useRoomStatus();
  const isPresent = useStore(chat.store, (state) => state.room === tag);
  const unread = useStore(
    chat.store,
    (state) => state.conversations[isPresent ? everyone : tag]?.unread ?? 0,
  );
  return { unread, isHere: status === "connected" && isPresent };
}
