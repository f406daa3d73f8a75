import {
  type ChatState,
  type Conversation,
  isAround,
  isStarter,
  peersOf,
  type RoomState,
} from "@warren/core";
import type { ClientId } from "@warren/protocol";
import { useMemo } from "react";
import { useRoom, useStore, useWarren } from "../../wiring/warren-context.ts";

/** The order of the list: present people by last activity, then absent ones by last activity. */
export interface PeopleOrder {
  readonly here: readonly ClientId[];
  readonly away: readonly ClientId[];
}

/** The time of the last message in a conversation; 0 if there is none. */
function lastActivity(conversation: Conversation | undefined): number {
  return conversation?.messages.at(-1)?.sortedAt ?? 0;
}

/** All room members and known contacts in list order, without the welcome conversation. */
export function peopleOrder(
  { contacts, conversations }: Pick<ChatState, "contacts" | "conversations">,
  room: RoomState,
): PeopleOrder {
  const peers = peersOf(room);
  const nameOf = (id: ClientId) => peers[id]?.profile?.name ?? contacts[id]?.name ?? "";
  const met = Object.keys(contacts).filter((id) => !isStarter(id));
  const ids = [...new Set([...Object.keys(peers), ...met])].sort(
    (a, b) =>
      lastActivity(conversations[b]) - lastActivity(conversations[a]) ||
      nameOf(a).localeCompare(nameOf(b)) ||
      (a < b ? -1 : 1),
  );
  const isHere = (id: ClientId) => isAround(peers[id]);
  return { here: ids.filter(isHere), away: ids.filter((id) => !isHere(id)) };
}

/** The order of people in the room as it is. */
export function usePeopleOrder(): PeopleOrder {
  const { chat } = useWarren();
  const room = useRoom();
  const contacts = useStore(chat.store, (state) => state.contacts);
  const conversations = useStore(chat.store, (state) => state.conversations);
  return useMemo(() => peopleOrder({ contacts, conversations }, room), [contacts, conversations, room]);
}
