import {
  type ConversationId,
  everyone,
  folded,
  type OnlineStatus,
  onlineStatusOf,
  type Peer,
  peersOf,
} from "@warren/core";
import { useT } from "../../i18n/use-t.ts";
import { shownName } from "../../people/shown-name.ts";
import { useProfile, useRoom, useStore, useWarren } from "../../wiring/warren-context.tsx";

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

const characterScore = 1;
const runBonus = 7;
const wordBonus = 6;

/**
 * How well a name matches a query, whose characters it must contain in order: higher for consecutive characters and
 * for those that begin a word, over all possible alignments. Null if it does not match.
 */
export function scoreMatch(name: string, query: string): number | null {
  const text = [...folded(name)];
  const characters = [...folded(query).replace(/\s+/gu, "")];
  /** The best score of the characters so far if the last of them is at this position of the text. */
  let best: readonly (number | null)[] = text.map(() => null);
  for (const [nth, character] of characters.entries()) {
    const before = best;
    let highest: number | null = nth === 0 ? 0 : null;
    best = text.map((candidate, at) => {
      const behind = at > 0 ? (before[at - 1] ?? null) : null;
      const reached = highest;
      const previous = before[at] ?? null;
      if (nth > 0 && previous !== null) highest = Math.max(highest ?? previous, previous);
      if (candidate !== character) return null;
      const inRun = behind === null ? null : behind + runBonus;
      const from = inRun === null ? reached : Math.max(inRun, reached ?? inRun);
      const startsWord = at === 0 || /[\s\-_.]/u.test(text[at - 1] ?? "");
      return from === null ? null : from + characterScore + (startsWord ? wordBonus : 0);
    });
  }
  if (characters.length === 0) return 0;
  return best.reduce((high, score) => (score === null ? high : Math.max(high ?? score, score)), null);
}
