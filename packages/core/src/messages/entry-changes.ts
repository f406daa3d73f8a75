import type { Entry } from "../room-log/entry.ts";
import type { LoggedEntry } from "../room-log/timeline.ts";
import { type MessageKey, messageKeyOf, messageNameOf } from "./message.ts";
import { changeOfEntry, laterOf } from "./message-changes.ts";

/**
 * The entries of a room's log that are about messages, found by the message, which may come after them; and those that wait to be
 * applied, as their author made too many at once.
 */
export class EntryChanges {
  readonly #about = new Map<MessageKey, Entry[]>();
  /** By what they are versions of: of those that replace each other only one holds. */
  readonly #waiting = new Map<string, LoggedEntry[]>();

  get hasWaiting(): boolean {
    return this.#waiting.size > 0;
  }

  add(entry: Entry): void {
    const key = subjectOf(entry);
    if (key !== null) push(this.#about, key, entry);
  }

  defer(logged: LoggedEntry): void {
    push(this.#waiting, versionOf(logged.entry), logged);
  }

  forget(entry: Entry): void {
    const isOther = (one: Entry) => one.author !== entry.author || one.hash !== entry.hash;
    const key = subjectOf(entry);
    if (key !== null) keepWhere(this.#about, key, isOther);
    keepWhere(this.#waiting, versionOf(entry), (logged) => isOther(logged.entry));
  }

  about(key: MessageKey): readonly Entry[] {
    return this.#about.get(key) ?? [];
  }

  /** Of each author's changes of a message only those that hold: applying the others would change nothing. */
  latestFor(key: MessageKey): readonly Entry[] {
    const last = new Map<string, Entry>();
    for (const entry of this.about(key)) {
      const id = versionOf(entry);
      const before = last.get(id);
      last.set(id, before === undefined ? entry : later(before, entry));
    }
    return [...last.values()];
  }

  /** The author's edits of a text, in order. */
  editsOf(key: MessageKey): readonly Entry[] {
    const { client } = messageNameOf(key);
    const edits = this.about(key).filter(({ kind, author }) => kind === "edit" && author === client);
    return edits.sort((one, other) => one.n - other.n);
  }

  /** Takes out those that wait and replace each other, where the one that holds may be applied now. */
  *takeWaiting(mayApply: (last: Entry) => boolean): Generator<[last: Entry, all: readonly LoggedEntry[]]> {
    for (const [id, all] of this.#waiting) {
      const last = all.map(({ entry }) => entry).reduce(later);
      if (!mayApply(last)) continue;
      this.#waiting.delete(id);
      yield [last, all];
    }
  }
}

/** Whether there may be any number of such entries about one message, of which only the last counts. */
export function isPaced({ kind, about }: Entry): boolean {
  return (kind === "edit" || kind === "react") && about !== undefined;
}

/** The message that an entry is about, if it is not one itself. */
function subjectOf({ kind, about }: Entry): MessageKey | null {
  return kind === "text" || about === undefined ? null : messageKeyOf(about.client, about.id);
}

/** What an entry is one version of: the text, or the reactions, of its author. */
function versionOf({ kind, author, about }: Entry): string {
  return `${kind}/${author}/${about?.client}/${about?.id}`;
}

/** Of two entries that replace each other, the one that holds. */
function later(one: Entry, other: Entry): Entry {
  const [change, next] = [changeOfEntry(one), changeOfEntry(other)];
  if (change === null || next === null) return change === null ? other : one;
  return laterOf(change, next) === next ? other : one;
}

function push<K, T>(lists: Map<K, T[]>, key: K, item: T): void {
  const known = lists.get(key);
  if (known) known.push(item);
  else lists.set(key, [item]);
}

function keepWhere<K, T>(lists: Map<K, T[]>, key: K, isKept: (item: T) => boolean): void {
  const left = lists.get(key)?.filter(isKept) ?? [];
  if (left.length > 0) lists.set(key, left);
  else lists.delete(key);
}
