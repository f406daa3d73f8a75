import { type ConversationId, everyone, isStarter, peersOf } from "@warren/core";
import { useT } from "../i18n/use-t.ts";
import { type Person, usePerson } from "../people/use-person.ts";
import { useStore, useWarren } from "../ui/warren-context.tsx";

/** The other side of a conversation: one client, or everyone in the room. */
export interface Partner extends Person {
  readonly isRoom: boolean;
  /** Whether it is the welcome conversation, which cannot be answered. */
  readonly isStarter: boolean;
  /** The number of people a message reaches now. */
  readonly presentCount: number;
}

export function usePartner(id: ConversationId): Partner {
  const t = useT();
  const { room } = useWarren();
  const person = usePerson(id);
  const presentCount = useStore(
    room.store,
    (state) => Object.values(peersOf(state)).filter((peer) => peer.ready).length,
  );
  if (id !== everyone) {
    return { ...person, isRoom: false, isStarter: isStarter(id), presentCount: person.isHere ? 1 : 0 };
  }
  const name = t("people.everyone");
  const isHere = presentCount > 0;
  const known = { isKnown: true, isRoom: true, isStarter: false };
  return { ...person, ...known, name, firstName: name, isHere, presentCount };
}
