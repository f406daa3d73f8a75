import { type ConversationId, everyone, peersOf } from "@warren/core";
import { useStore, useWarren } from "../wiring/warren-context.ts";

/** Whether what the other person of a conversation offers cannot come yet. In the room, others may give it. */
export function useIsGiverAway(conversation: ConversationId): boolean {
  return useStore(
    useWarren().room.store,
    (room) => conversation !== everyone && peersOf(room)[conversation]?.ready !== true,
  );
}
