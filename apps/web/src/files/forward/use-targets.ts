import {
  type ConversationId,
  everyone,
  type OnlineStatus,
  onlineStatusOf,
  type Peer,
  peersOf,
} from "@warren/core";
import { useT } from "../../i18n/use-t.ts";
import { shownName } from "../../people/shown-name.ts";
import { scoreMatch } from "../../ui/text/score-match.ts";
import { useProfile, useRoom, useStore, useWarren } from "../../wiring/warren-context.ts";

/** A possible recipient of forwarded items. */
export interface Target {
  readonly id: ConversationId;
  readonly name: string;
  readonly avatar: string | null;
  readonly status: OnlineStatus;
  /** Null for everyone. */
  readonly peer: Peer | null;
}

/** Everyone, if that is more than one, then the present peers by name. */
export function useTargets(): readonly Target[] {
  const t = useT();
  const { chat } = useWarren();
  const room = useRoom();
  const { name: ownName } = useProfile();
  const contacts = useStore(chat.store, (state) => state.contacts);
  const people = Object.values(peersOf(room))
    .filter(({ clientId }) => contacts[clientId]?.trustLevel !== "blocked")
    .map((peer): Target => {
      const { clientId, session, profile } = peer;
      const contact = contacts[clientId];
      const name = shownName(clientId, contacts, ownName, profile?.name) ?? t("people.someone");
      const avatar = profile?.avatar ?? contact?.avatar ?? null;
      return { id: clientId, name, avatar, status: onlineStatusOf[session], peer };
    })
    .filter(({ status }) => status !== "offline")
    .sort((a, b) => a.name.localeCompare(b.name));
  const isMany = people.filter(({ status }) => status === "online").length > 1;
  const all: Target = {
    id: everyone,
    name: t("people.everyone"),
    avatar: null,
    status: "online",
    peer: null,
  };
  return isMany ? [all, ...people] : people;
}

/** The targets whose names match the query, best match first. */
export function findTargets(targets: readonly Target[], query: string): readonly Target[] {
  if (query.trim() === "") return targets;
  return targets
    .map((target) => ({ target, score: scoreMatch(target.name, query) }))
    .filter(({ score }) => score !== null)
    .sort((a, b) => (b.score ?? 0) - (a.score ?? 0))
    .map(({ target }) => target);
}
