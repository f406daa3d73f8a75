import { type ConversationId, everyone, isStarter, peersOf, type RoomState, type Warren } from "@warren/core";
import { useT } from "../i18n/use-t.ts";
import { useStore, useWarren } from "../wiring/warren-context.ts";
import { type Person, usePerson } from "./use-person.ts";

/** The other side of a conversation: one person, or everyone in the room. */
export interface Partner extends Person {
  readonly isRoom: boolean;
  /** Whether it is the welcome conversation, which cannot be answered. */
  readonly isStarter: boolean;
  /** Whether what is written now reaches somebody, at once or later. */
  readonly isReachable: boolean;
}

const isAnyoneReady = (state: RoomState): boolean => Object.values(peersOf(state)).some(({ ready }) => ready);

/** Whether a message to everyone reaches somebody, at once or when they come. */
export function isEveryoneReachable({ room, chat }: Pick<Warren, "room" | "chat">): boolean {
  const state = room.store.getState();
  const isKept = chat.hasRoomLog && (state.status === "connected" || state.status === "connecting");
  return isKept || isAnyoneReady(state);
}

export function usePartner(id: ConversationId): Partner {
  const t = useT();
  const warren = useWarren();
  const { room } = warren;
  const person = usePerson(id);
  const isAnyoneHere = useStore(room.store, isAnyoneReady);
  const isReachable = useStore(room.store, () => isEveryoneReachable(warren));
  if (id !== everyone) return { ...person, isRoom: false, isStarter: isStarter(id), isReachable: true };
  const name = t("people.everyone");
  const known = { isKnown: true, isRoom: true, isStarter: false };
  return { ...person, ...known, name, firstName: name, isHere: isAnyoneHere, isReachable };
}
