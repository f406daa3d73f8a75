import {
  type Contact,
  type OnlineStatus,
  onlineStatusOf,
  type Peer,
  peersOf,
  type Warren,
} from "@warren/core";
import type { ClientId } from "@warren/protocol";
import { useCallback, useMemo } from "react";
import { translate } from "../i18n/i18n.ts";
import type { Translate } from "../i18n/messages.ts";
import { useT } from "../i18n/use-t.ts";
import { useOnline } from "../ui/hooks/use-online.ts";
import { useProfile, useStore, useWarren } from "../wiring/warren-context.ts";
import { firstNameOf, shownName } from "./shown-name.ts";

/** Another person as shown to the user: present or absent, known or new. */
export interface Person {
  readonly id: ClientId;
  readonly name: string;
  /** The name used in sentences: "Mara is away". */
  readonly firstName: string;
  readonly avatar: string | null;
  readonly status: OnlineStatus;
  /** Whether the person can receive messages now. */
  readonly isHere: boolean;
  /** Null while not in the room with us. */
  readonly peer: Peer | null;
  /** The stored contact; null if we have never met. */
  readonly contact: Contact | null;
  /** The result of comparing the safety code. */
  readonly trustLevel: Contact["trustLevel"];
  /** Whether we have met: in this room or before. */
  readonly isKnown: boolean;
}

/**
 * A person by their id; re-renders when their data changes.
 * @param lastName their name where we last met them, for a person who is no contact.
 */
export function usePerson(id: ClientId, lastName?: string): Person {
  const { room, chat } = useWarren();
  const peer = useStore(room.store, (state) => peersOf(state)[id]) ?? null;
  const contact = useStore(chat.store, (state) => state.contacts[id]) ?? null;
  const name = useName(id, lastName);
  // A lost network is noticed long before its connections are.
  const isOnline = useOnline();
  return useMemo(() => {
    return {
      id,
      name,
      firstName: firstNameOf(name),
      // The stored picture is shown while a newly received one is being redrawn.
      avatar: peer?.profile?.avatar ?? contact?.avatar ?? null,
      status: peer === null || !isOnline ? "offline" : onlineStatusOf[peer.session],
      isHere: peer?.ready ?? false,
      peer,
      contact,
      trustLevel: contact?.trustLevel ?? "unverified",
      isKnown: peer !== null || contact !== null,
    };
  }, [id, name, peer, contact, isOnline]);
}

/** Only the name of a person: re-renders only when that changes. */
export function useName(id: ClientId, lastName?: string): string {
  const t = useT();
  const { room, chat } = useWarren();
  const peerName = useStore(room.store, (state) => peersOf(state)[id]?.profile?.name);
  const memberName = useStore(chat.members, (members) => members[id]?.name) ?? lastName;
  const { name: ownName } = useProfile();
  const name = useStore(chat.store, ({ contacts }) =>
    shownName(id, contacts, ownName, peerName ?? contacts[id]?.name ?? memberName),
  );
  return name ?? t("people.someone");
}

/** The name of a person as it is now. */
export function currentNameOf(
  { room, chat, profile }: Pick<Warren, "room" | "chat" | "profile">,
  id: ClientId,
  t: Translate = translate,
): string {
  const peerName = peersOf(room.store.getState())[id]?.profile?.name;
  const { contacts } = chat.store.getState();
  const name = peerName ?? contacts[id]?.name ?? chat.members.getState()[id]?.name;
  return shownName(id, contacts, profile.get().name, name) ?? t("people.someone");
}

/**
 * Returns a function that reads the name of any person when it is called, for toasts and announcements. A later change of the name does
 * not re-render: a component that shows one person uses {@link useName}.
 */
export function useNameOf(): (id: ClientId) => string {
  const t = useT();
  const warren = useWarren();
  return useCallback((id) => currentNameOf(warren, id, t), [t, warren]);
}

/** As {@link useNameOf}, for the first name, which sentences use. */
export function useFirstNameOf(): (id: ClientId) => string {
  const nameOf = useNameOf();
  return (id) => firstNameOf(nameOf(id));
}
