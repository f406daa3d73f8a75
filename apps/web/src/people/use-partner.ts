import { type ConversationId, everyone, isStarter, peersOf, type RoomState } from "@warren/core";
import { useT } from "../i18n/use-t.ts";
import { useStore, useWarren } from "../wiring/warren-context.tsx";
import { type Person, usePerson } from "./use-person.ts";

/** The other side of a conversation: one client, or everyone in the room. */
export interface Partner extends Person {
  readonly isRoom: boolean;
  /** Whether it is the welcome conversation, which cannot be answered. */
  readonly isStarter: boolean;
}

/** Whether a message to everyone reaches anyone now. */
export function isAnyoneReady(state: RoomState): boolean {
  return Object.values(peersOf(state)).some(({ ready }) => ready);
}

export function usePartner(id: ConversationId): Partner {
  const t = useT();
  const { room } = useWarren();
  const person = usePerson(id);
  const isAnyoneHere = useStore(room.store, isAnyoneReady);
  if (id !== everyone) return { ...person, isRoom: false, isStarter: isStarter(id) };
  const name = t("people.everyone");
  const known = { isKnown: true, isRoom: true, isStarter: false };
  return { ...person, ...known, name, firstName: name, isHere: isAnyoneHere };
}
