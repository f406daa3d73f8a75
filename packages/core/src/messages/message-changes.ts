import { type ClientId, emojiSchema, type LogEntry, limits, v } from "@warren/protocol";
import { type ChangeKind, type ChatMessage, entryNumberOf, type TextMessage } from "./message.ts";

/**
 * What somebody did to a message after it was written. `at` is when, by the clock of that person: of two changes of one kind and
 * person the later one holds, in whatever order and however often they arrive.
 */
export type MessageChange =
  | { readonly kind: "edit"; readonly at: number; readonly data: string }
  | { readonly kind: "delete"; readonly at: number }
  /** All of the person's reactions to it. */
  | { readonly kind: "react"; readonly at: number; readonly emoji: readonly string[] };

/** So many people's reactions are kept of one message; those of others are left out. */
const peopleMax = 100;
/** So many different emoji are shown of one message. */
const shownMax = 20;
/** The edits that one deletion names: as many as are kept of an author. */
const namedEditsMax = 2_000;

/** A message after a change by somebody; the same object if that changes nothing. Only its author edits and deletes it. */
export function withChange(message: ChatMessage, by: ClientId, change: MessageChange): ChatMessage {
  if (message.type === "call" || (message.type === "text" && message.deleted)) return message;
  const isAuthor = message.client === by;
  switch (change.kind) {
    case "edit":
      if (!isAuthor || message.type === "file" || !holds(change, change.data, message.edited, message.data))
        return message;
      return { ...message, data: change.data, edited: change.at };
    case "delete":
      return isAuthor ? deleted(message) : message;
    case "react": {
      const { reactions = {} } = message;
      const before = reactions[by];
      if (before === undefined && Object.keys(reactions).length >= peopleMax) return message;
      if (!holds(change, change.emoji.join(" "), before?.at, before?.emoji.join(" ") ?? "")) return message;
      return { ...message, reactions: { ...reactions, [by]: { emoji: change.emoji, at: change.at } } };
    }
  }
}

/** Whether a change replaces the one before: of two at one time that is the same one for everybody, in whatever order they came. */
function holds({ at }: MessageChange, body: string, beforeAt: number | undefined, before: string): boolean {
  if (beforeAt === undefined || at !== beforeAt) return at > (beforeAt ?? Number.NEGATIVE_INFINITY);
  return body > before;
}

/** Of two changes by one person and of one kind, the one that holds. */
export function laterOf(one: MessageChange, other: MessageChange): MessageChange {
  const isReplaced = holds(other, entryOfChange(other).body, one.at, entryOfChange(one).body);
  return isReplaced ? other : one;
}

/** Leaves nothing of what was written or offered, and nothing to deliver. A file that is here already stays. */
function deleted(message: ChatMessage): TextMessage {
  const { key, id, conversation, client, createdAt, sortedAt, countedFor, entry, earlierBy } = message;
  const received = Object.keys(message.deliveries).map((peer) => [peer, { status: "received" as const }]);
  return {
    ...{ key, id, conversation, client, createdAt, sortedAt, type: "text", data: "", deleted: true },
    ...(countedFor !== undefined && { countedFor }),
    ...(entry !== undefined && { entry }),
    ...(earlierBy !== undefined && { earlierBy }),
    deliveries: Object.fromEntries(received),
  };
}

/** A change as the kind and the body of an entry of the room's log, which is about the message. */
export function entryOfChange(change: MessageChange): { readonly kind: string; readonly body: string } {
  const body = change.kind === "edit" ? change.data : change.kind === "react" ? change.emoji.join(" ") : "";
  return { kind: change.kind, body };
}

/** The change that an entry of the room's log is; null if it is none. */
export function changeOfEntry({
  kind,
  time: at,
  body,
}: Pick<LogEntry, "kind" | "time" | "body">): MessageChange | null {
  if (kind === "edit") return { kind, at, data: body };
  if (kind === "delete") return { kind, at };
  const emoji = body === "" ? [] : body.split(" ", limits.reactionsPerPerson + 1);
  const isReaction =
    emoji.length <= limits.reactionsPerPerson && emoji.every((each) => v.is(emojiSchema, each));
  return kind === "react" && isReaction ? { kind, at, emoji: [...new Set(emoji)] } : null;
}

/** The body of the entry that deletes a text: the numbers of its edits, of which nothing is left either. */
export function bodyOfDeletion(edits: readonly Pick<LogEntry, "n">[]): string {
  return edits
    .slice(-namedEditsMax)
    .map(({ n }) => n)
    .join(" ");
}

/** The numbers of the author's entries that a deletion leaves nothing of: the text and its edits. */
export function deletedNumbers({
  n: last,
  about,
  body,
}: Pick<LogEntry, "n" | "about" | "body">): readonly number[] {
  const named = body.split(" ", namedEditsMax).filter((part) => /^\d{1,10}$/.test(part));
  const text = about === undefined ? null : entryNumberOf(about.id);
  return [...(text === null ? [] : [text]), ...named.map(Number)].filter((n) => n > 0 && n < last);
}

/** A message after a change of ours, which these recipients have to get. */
export function withOwnChange(
  message: ChatMessage,
  selfId: ClientId,
  change: MessageChange,
  recipients: readonly ClientId[],
): ChatMessage {
  const after = withChange(message, selfId, change);
  if (after === message) return message;
  const before = after.unsentChanges ?? {};
  const unsent = recipients.map(
    (peer) => [peer, [...new Set([...(before[peer] ?? []), change.kind])]] as const,
  );
  return { ...after, unsentChanges: { ...before, ...Object.fromEntries(unsent) } };
}

/** A time for our next change of a message: now, and later than those before it. */
export function nextChangeAt(message: ChatMessage, selfId: ClientId, now: number): number {
  const edited = message.type === "text" ? message.edited : undefined;
  return Math.max(now, (edited ?? 0) + 1, (message.reactions?.[selfId]?.at ?? 0) + 1);
}

/** What a change of ours that a client has not got is now; null if it is none any more. */
export function unsentChange(message: ChatMessage, selfId: ClientId, kind: ChangeKind): MessageChange | null {
  if (message.type === "text" && message.deleted) return kind === "delete" ? { kind, at: 0 } : null;
  if (kind === "react") {
    const reaction = message.reactions?.[selfId];
    return reaction === undefined ? null : { kind, ...reaction };
  }
  if (kind === "delete" || message.type !== "text" || message.edited === undefined) return null;
  return { kind, at: message.edited, data: message.data };
}

/** A message after a client has got a change of ours, if that is still the latest. */
export function withoutUnsent(
  message: ChatMessage,
  selfId: ClientId,
  peer: ClientId,
  sent: Pick<MessageChange, "kind" | "at">,
): ChatMessage {
  const { [peer]: kinds, ...others } = message.unsentChanges ?? {};
  const now = unsentChange(message, selfId, sent.kind);
  if (kinds === undefined || (now !== null && now.at !== sent.at)) return message;
  const left = kinds.filter((kind) => kind !== sent.kind);
  const unsentChanges = left.length > 0 ? { ...others, [peer]: left } : others;
  const { unsentChanges: _, ...rest } = message;
  return Object.keys(unsentChanges).length > 0 ? { ...rest, unsentChanges } : rest;
}

/** An emoji under a message, and who chose it. */
export interface ShownReaction {
  readonly emoji: string;
  readonly people: readonly ClientId[];
}

/** The reactions to a message as they are shown: those of most people first, of equally many the earlier. */
export function reactionsOf({ reactions = {} }: Pick<ChatMessage, "reactions">): readonly ShownReaction[] {
  const people = new Map<string, ClientId[]>();
  const inOrder = Object.entries(reactions).sort(([, one], [, other]) => one.at - other.at);
  for (const [client, { emoji }] of inOrder)
    for (const each of emoji) people.set(each, [...(people.get(each) ?? []), client]);
  return [...people]
    .map(([emoji, all]) => ({ emoji, people: all }))
    .sort((one, other) => other.people.length - one.people.length)
    .slice(0, shownMax);
}

/** A person's reactions with one chosen or taken back; of too many the first goes. */
export function toggled(emoji: readonly string[], chosen: string): readonly string[] {
  const others = emoji.filter((each) => each !== chosen);
  return others.length < emoji.length ? others : [...others.slice(1 - limits.reactionsPerPerson), chosen];
}
