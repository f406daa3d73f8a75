import { type ConversationId, everyone, type OnlineStatus, onlineStatusOf, peersOf } from "@warren/core";
import { useMemo } from "react";
import { scoreMatch } from "../../i18n/score-match.ts";
import { useT } from "../../i18n/use-t.ts";
import { shownName } from "../../people/shown-name.ts";
import { useProfile, useRoom, useStore, useWarren } from "../../ui/warren-context.tsx";

/** A possible recipient of forwarded items. */
export interface Target {
  readonly id: ConversationId;
  readonly name: string;
  readonly avatar: string | null;
  readonly status: OnlineStatus;
}

/** Everyone, if that is more than one, then the present peers by name. */
export function useTargets(): readonly Target[] {
  const t = useT();
  const { chat } = useWarren();
  const room = useRoom();
  const { name: ownName } = useProfile();
  const contacts = useStore(chat.store, (state) => state.contacts);
  return useMemo(() => {
    const people = Object.values(peersOf(room))
      .filter(({ clientId }) => contacts[clientId]?.trustLevel !== "blocked")
      .map(({ clientId, session, profile }): Target => {
        const contact = contacts[clientId];
        const name = shownName(clientId, contacts, ownName, profile?.name) ?? t("people.someone");
        const avatar = profile?.avatar ?? contact?.avatar ?? null;
        return { id: clientId, name, avatar, status: onlineStatusOf[session] };
      })
      .filter(({ status }) => status !== "offline")
      .sort((a, b) => a.name.localeCompare(b.name));
    const isMany = people.filter(({ status }) => status === "online").length > 1;
    const all: Target = { id: everyone, name: t("people.everyone"), avatar: null, status: "online" };
    return isMany ? [all, ...people] : people;
  }, [t, room, contacts, ownName]);
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
