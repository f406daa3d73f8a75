import { type ChatState, type ConversationId, everyone, mayAlert, type VisitedRoom } from "@warren/core";
import type { ClientId } from "@warren/protocol";
import { useStore, useWarren } from "../wiring/warren-context.ts";

type ContactsAndRoom = Pick<ChatState, "contacts" | "room">;

function roomOf(
  { room }: ContactsAndRoom,
  rooms: readonly VisitedRoom[],
  conversation: ConversationId,
): VisitedRoom | undefined {
  const tagOfRoom = conversation === everyone ? room : conversation;
  return rooms.find(({ tag }) => tag === tagOfRoom);
}

/** Whether a conversation was muted. */
function isMuted(
  known: ContactsAndRoom,
  rooms: readonly VisitedRoom[],
  conversation: ConversationId,
): boolean {
  return known.contacts[conversation]?.muted ?? roomOf(known, rooms, conversation)?.muted ?? false;
}

/** Whether what somebody says in a conversation may draw attention: nobody was muted, and the person is no stranger. */
export function attentionOf(
  known: ContactsAndRoom,
  rooms: readonly VisitedRoom[],
  conversation: ConversationId,
  from: ClientId,
): { readonly isMuted: boolean; readonly isAccepted: boolean } {
  return {
    isMuted: isMuted(known, rooms, conversation) || isMuted(known, rooms, from),
    isAccepted: mayAlert(known.contacts[from], roomOf(known, rooms, conversation)),
  };
}

/** Whether a conversation was muted; re-renders when that changes. */
export function useIsMuted(conversation: ConversationId): boolean {
  const { chat } = useWarren();
  const rooms = useStore(chat.rooms);
  return useStore(chat.store, (state) => isMuted(state, rooms, conversation));
}

/** The number of unseen received messages, without those of muted conversations. */
export function useUnread(): number {
  const { chat } = useWarren();
  const rooms = useStore(chat.rooms);
  return useStore(chat.store, (state) =>
    Object.entries(state.conversations).reduce(
      (sum, [id, conversation]) => sum + (isMuted(state, rooms, id) ? 0 : (conversation?.unread ?? 0)),
      0,
    ),
  );
}
