import type { ClientId } from "@warren/protocol";
import type { Entry } from "./entry.ts";

/** An entry that is here. */
export interface LoggedEntry {
  readonly entry: Entry;
  /** The author's key, which goes with the entry to others. */
  readonly key: string;
  /** Its time in the conversation, by our own clock; never falls within the log of an author. */
  readonly shownAt: number;
  /** Who gave it to us; ourselves for our own. */
  readonly via: ClientId;
  /** It was removed here: its number and hash are left, and nothing of it is passed on. */
  readonly erased?: true | undefined;
  /** It is a change of a message that has not been applied yet: its author made too many at once. */
  readonly waits?: true | undefined;
  /** Ours, said alone before we had met anybody in the room, or a change of such a one: whoever comes is given it, by us. */
  readonly opening?: true | undefined;
}

/** What is known of when an entry was written, by our own clock. */
interface Bounds {
  readonly arrivedAt: number;
  /** When its author was last known not to have written it. */
  readonly notBefore: number;
  /** The times of the author's entries next to it, where they are here. */
  readonly earlier: number;
  readonly later: number;
}

/**
 * The time at which an entry is shown: the one its author claims, unless more is known. Nobody can write into the future,
 * or between what was read long ago; and an author's entries stay in order.
 */
export function shownAtOf(claimed: number, { arrivedAt, notBefore, earlier, later }: Bounds): number {
  const latest = Math.min(arrivedAt, later);
  return Math.min(latest, Math.max(claimed, notBefore, earlier));
}

/** Orders entries as they are shown: by time, those of one author by number, and the same for everybody if times are. */
export function compareShown(one: LoggedEntry, other: LoggedEntry): number {
  return (
    one.shownAt - other.shownAt ||
    compareText(one.entry.author, other.entry.author) ||
    one.entry.n - other.entry.n ||
    compareText(one.entry.hash, other.entry.hash)
  );
}

function compareText(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}
