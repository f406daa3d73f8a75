import type { ClientId } from "@warren/protocol";
import { type Entry, entryBytes } from "./entry.ts";
import { compareShown, type LoggedEntry, shownAtOf } from "./timeline.ts";

/** How much a log of a room holds. */
export interface LogCaps {
  readonly entries: number;
  readonly bytes: number;
  readonly authorEntries: number;
  readonly authorBytes: number;
  readonly authors: number;
}

const mib = 1024 ** 2;
export const logCaps: LogCaps = {
  entries: 10_000,
  bytes: 32 * mib,
  authorEntries: 2_000,
  authorBytes: 8 * mib,
  authors: 200,
};

/** The versions of one entry that are held: an author whose profile was copied writes two. */
const versionsMax = 2;

/** How an entry came here. */
export interface Arrival {
  readonly key: string;
  readonly via: ClientId;
  readonly arrivedAt: number;
  /** When its author was last known not to have written it. */
  readonly notBefore?: number | undefined;
  readonly opening?: true | undefined;
}

/** What became of an entry. `refused`: older than what is kept, or no space for it. */
export type Added =
  | { readonly outcome: "added"; readonly logged: LoggedEntry; readonly evicted: readonly LoggedEntry[] }
  | { readonly outcome: "known" | "refused" };

/** A part of a log, both ends included. */
export interface EntryRange {
  readonly from: number;
  readonly to: number;
}

/** How far back the versions of an entry are asked for whose predecessor is another one. */
export const forkReach = 32;

interface AuthorLog {
  readonly entries: Map<number, readonly LoggedEntry[]>;
  /** Ascending. */
  readonly numbers: number[];
  /** All versions of all numbers. */
  count: number;
  /** The entries whose predecessor is here, but in another version. */
  readonly broken: Set<number>;
  bytes: number;
  /** The lowest number that is kept. */
  floor: number;
  /** The number from which on none is missing; null if it is not known. */
  whole: number | null;
  /** The numbers of those that whoever comes is given. */
  readonly openings: Set<number>;
  /** Numbers of entries that are not here because their author has none of them any more. */
  readonly gone: Set<number>;
}

/** Whose entries go last when space is short. */
export interface Standing {
  readonly selfId: ClientId;
  /** Whether we have met an author ourselves. */
  readonly isMet: (author: ClientId) => boolean;
}

/**
 * The log of a room: for each author a set of signed entries, ordered by number. What is added was checked before. Beyond
 * its caps the oldest entries of the largest log go first, those of authors never met before all others, so that nobody can
 * push out the others' entries.
 */
export class RoomLog {
  readonly #caps: LogCaps;
  readonly #standing: Standing;
  readonly #authors = new Map<ClientId, AuthorLog>();
  /** The authors of whom more is gone since {@link takeChangedGone}. */
  readonly #changedGone = new Set<ClientId>();
  #bytes = 0;
  #count = 0;

  constructor(standing: Standing, caps: LogCaps = logCaps) {
    this.#standing = standing;
    this.#caps = caps;
  }

  get size(): { readonly entries: number; readonly bytes: number; readonly authors: number } {
    return { entries: this.#count, bytes: this.#bytes, authors: this.#authors.size };
  }

  authors(): IterableIterator<ClientId> {
    return this.#authors.keys();
  }

  /** An author's last entry. Of two versions the one that arrived first. */
  last(author: ClientId): LoggedEntry | null {
    const log = this.#authors.get(author);
    return log?.entries.get(log.numbers.at(-1) ?? 0)?.[0] ?? null;
  }

  /** The versions of an entry. */
  at(author: ClientId, n: number): readonly LoggedEntry[] {
    return this.#authors.get(author)?.entries.get(n) ?? [];
  }

  /** How many entries of an author are here from a number on, both versions counted. */
  countFrom(author: ClientId, from: number): number {
    const log = this.#authors.get(author);
    if (log === undefined) return 0;
    const at = firstAtLeast(log.numbers, from);
    if (log.count === log.numbers.length) return log.count - at;
    return log.numbers.slice(at).reduce((sum, n) => sum + (log.entries.get(n)?.length ?? 0), 0);
  }

  /** The number from which on none of an author is missing up to the last. */
  wholeFrom(author: ClientId): number {
    const log = this.#authors.get(author);
    if (log === undefined) return 1;
    if (log.whole !== null) return log.whole;
    let at = log.numbers.length - 1;
    for (let next = log.numbers[at] ?? 0; at > 0; at--) {
      do next--;
      while (log.gone.has(next));
      if (log.numbers[at - 1] !== next) break;
    }
    log.whole = log.numbers[at] ?? log.floor;
    return log.whole;
  }

  /** How many entries of an author are missing between others that are here. */
  gaps(author: ClientId): number {
    const { numbers = [], gone = [] } = this.#authors.get(author) ?? {};
    const [first, last] = [numbers[0] ?? 0, numbers.at(-1) ?? 0];
    const between = [...gone].filter((n) => n > first && n < last).length;
    return Math.max(0, last - first + 1 - numbers.length - between);
  }

  /** The numbers of what an author said before anybody came, ascending, without what was erased. */
  openingsOf(author: ClientId): readonly number[] {
    return [...(this.#authors.get(author)?.openings ?? [])].sort((one, other) => one - other);
  }

  /** The entries of a range, in order. */
  *range(author: ClientId, { from, to }: EntryRange): Generator<LoggedEntry> {
    const log = this.#authors.get(author);
    if (log === undefined) return;
    for (let at = firstAtLeast(log.numbers, from); at < log.numbers.length; at++) {
      const n = log.numbers[at] ?? 0;
      if (n > to) return;
      yield* log.entries.get(n) ?? [];
    }
  }

  /** The first entry of an author that is shown at this time or later: its number, or null. */
  firstSince(author: ClientId, shownAt: number): number | null {
    const log = this.#authors.get(author);
    if (log === undefined) return null;
    let [low, high] = [0, log.numbers.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const versions = log.entries.get(log.numbers[middle] ?? 0) ?? [];
      if (versions.some((version) => version.shownAt >= shownAt)) high = middle;
      else low = middle + 1;
    }
    return log.numbers[low] ?? null;
  }

  /** All entries, as shown. */
  all(): readonly LoggedEntry[] {
    const entries = [...this.#authors.values()].flatMap((log) => [...log.entries.values()].flat());
    return entries.sort(compareShown);
  }

  /** The time from which on the last entries are shown, at most `count` of them, and none before `earliest`. */
  sinceOfLast(count: number, earliest: number): number {
    const tooEarly = this.all()
      .filter(({ erased }) => !erased)
      .at(-count - 1);
    return Math.max(earliest, (tooEarly?.shownAt ?? Number.NEGATIVE_INFINITY) + 1);
  }

  /**
   * What is missing up to a number: entries that are not here, and those before an entry that follows another version of
   * them. Nothing below what was evicted.
   */
  missing(author: ClientId, { from, to }: EntryRange): readonly EntryRange[] {
    const log = this.#authors.get(author);
    const start = Math.max(from, log?.floor ?? 1);
    if (start > to) return [];
    if (log === undefined) return [{ from: start, to }];
    const ranges: EntryRange[] = [];
    let next = start;
    for (let at = firstAtLeast(log.numbers, start); at < log.numbers.length; at++) {
      const n = log.numbers[at] ?? 0;
      if (n > to) break;
      if (n > next) ranges.push({ from: next, to: n - 1 });
      next = n + 1;
    }
    if (next <= to) ranges.push({ from: next, to });
    for (const n of log.broken)
      if (n - 1 >= start && n - 1 <= to) ranges.push({ from: Math.max(start, n - forkReach), to: n - 1 });
    return ranges;
  }

  add(entry: Entry, arrival: Arrival): Added {
    const known = this.#authors.get(entry.author);
    const versions = known?.entries.get(entry.n) ?? [];
    if (versions.some((version) => version.entry.hash === entry.hash)) return { outcome: "known" };
    if (versions.length >= versionsMax) return { outcome: "refused" };
    if (known !== undefined && entry.n < known.floor) return { outcome: "refused" };
    const displaced = known === undefined ? this.#makePlaceFor(entry.author) : [];
    if (displaced === null) return { outcome: "refused" };
    const log = known ?? newLog();
    this.#authors.set(entry.author, log);
    const logged = this.#place(log, entry, arrival);
    const evicted = [...displaced, ...this.#evict(entry.author)];
    return evicted.includes(logged) ? { outcome: "refused" } : { outcome: "added", logged, evicted };
  }

  /** Puts an entry back that was here before. */
  restore({ entry, key, via, shownAt, erased, opening }: LoggedEntry): void {
    const added = this.add(entry, { key, via, arrivedAt: shownAt, notBefore: shownAt, opening });
    if (erased && added.outcome === "added") this.erase(entry);
  }

  /** The author of a range has none of it any more that is not here, such as what was deleted. Other members may give it still. */
  markGone(author: ClientId, { from, to }: EntryRange): void {
    const log = this.#authors.get(author);
    if (log === undefined) return;
    for (let n = Math.max(from, log.floor); n <= to && log.gone.size < this.#caps.authorEntries; n++) {
      if (log.entries.has(n) || log.gone.has(n)) continue;
      log.gone.add(n);
      this.#changedGone.add(author);
    }
    log.whole = null;
  }

  /** The numbers of {@link markGone} that are not here. */
  goneOf(author: ClientId): number[] {
    return [...(this.#authors.get(author)?.gone ?? [])];
  }

  /** The authors of whom more is gone since this was last called. */
  takeChangedGone(): readonly ClientId[] {
    const changed = [...this.#changedGone];
    this.#changedGone.clear();
    return changed;
  }

  /** Takes an entry out that could not be stored. */
  remove({ entry: { author, n, hash } }: LoggedEntry): void {
    const log = this.#authors.get(author);
    const versions = log?.entries.get(n) ?? [];
    const removed = versions.find(({ entry }) => entry.hash === hash);
    if (log === undefined || removed === undefined) return;
    const left = versions.filter((version) => version !== removed);
    if (removed.opening) log.openings.delete(n);
    if (left.length > 0) log.entries.set(n, left);
    else {
      log.entries.delete(n);
      log.numbers.splice(firstAtLeast(log.numbers, n), 1);
      log.whole = null;
    }
    updateLinks(log, n);
    updateLinks(log, n + 1);
    this.#count--;
    log.count--;
    this.#addBytes(log, -entryBytes(removed.entry));
    if (log.count === 0 && log.floor === 1) this.#authors.delete(author);
  }

  /** Keeps of an entry only its number and its hash: it is not asked for again, and nobody is given it. */
  erase({ author, n, hash }: Pick<Entry, "author" | "n" | "hash">): void {
    const log = this.#authors.get(author);
    const versions = log?.entries.get(n);
    if (log === undefined || versions === undefined) return;
    const erased = versions.map((version): LoggedEntry => {
      if (version.entry.hash !== hash) return version;
      this.#addBytes(log, entryBytes({ body: "" }) - entryBytes(version.entry));
      const { prev: _prev, ...entry } = version.entry;
      return { ...version, entry: { ...entry, name: "", body: "", signature: "" }, erased: true };
    });
    log.entries.set(n, erased);
    if (!erased.some((version) => version.opening && !version.erased)) log.openings.delete(n);
    updateLinks(log, n);
  }

  /** The lowest number of an author that is kept: those below were evicted. */
  floorOf(author: ClientId): number {
    return this.#authors.get(author)?.floor ?? 1;
  }

  /** Keeps nothing below a number, and knows what is gone, as before a reload. */
  keepFrom(author: ClientId, floor: number, gone: readonly number[] = []): void {
    const log = this.#authors.get(author) ?? newLog();
    if (!this.#authors.has(author) && this.#authors.size >= this.#caps.authors) return;
    this.#authors.set(author, log);
    log.floor = Math.max(log.floor, floor);
    for (const n of gone.slice(0, this.#caps.authorEntries))
      if (n >= log.floor && !log.entries.has(n)) log.gone.add(n);
    log.whole = null;
  }

  #place(log: AuthorLog, entry: Entry, { key, via, arrivedAt, notBefore, opening }: Arrival): LoggedEntry {
    const { n } = entry;
    const at = firstAtLeast(log.numbers, n);
    const versions = log.entries.get(n) ?? [];
    const before = log.entries.get(log.numbers[at - 1] ?? 0) ?? [];
    const after = log.entries.get(log.numbers[versions.length > 0 ? at + 1 : at] ?? 0) ?? [];
    const shownAt = shownAtOf(entry.time, {
      arrivedAt,
      notBefore: notBefore ?? Number.NEGATIVE_INFINITY,
      earlier: Math.max(Number.NEGATIVE_INFINITY, ...before.map((version) => version.shownAt)),
      later: Math.min(Number.POSITIVE_INFINITY, ...after.map((version) => version.shownAt)),
    });
    const logged: LoggedEntry = { entry, key, via, shownAt, ...(opening && { opening }) };
    if (opening) log.openings.add(n);
    if (versions.length === 0) {
      log.numbers.splice(at, 0, n);
      log.gone.delete(n);
      log.whole = null;
    }
    log.entries.set(n, [...versions, logged]);
    updateLinks(log, n);
    updateLinks(log, n + 1);
    log.count++;
    this.#count++;
    this.#addBytes(log, entryBytes(entry));
    return logged;
  }

  #addBytes(log: AuthorLog, bytes: number): void {
    log.bytes += bytes;
    this.#bytes += bytes;
  }

  #isMet(author: ClientId): boolean {
    return author === this.#standing.selfId || this.#standing.isMet(author);
  }

  /** @returns what had to go for one more author, or null if there is no place. */
  #makePlaceFor(author: ClientId): readonly LoggedEntry[] | null {
    if (this.#authors.size < this.#caps.authors) return [];
    const others = this.#isMet(author) ? [...this.#authors.keys()] : [];
    let gone = others.findLast((other) => !this.#isMet(other));
    // We can always write ourselves.
    if (author === this.#standing.selfId) gone ??= this.#quietest();
    if (gone === undefined) return null;
    const entries = [...this.range(gone, { from: 1, to: Number.POSITIVE_INFINITY })];
    this.#authors.delete(gone);
    this.#count -= entries.length;
    this.#bytes -= entries.reduce((sum, { entry }) => sum + entryBytes(entry), 0);
    return entries;
  }

  /** Who has written nothing for the longest time. */
  #quietest(): ClientId | undefined {
    const lastAt = (author: ClientId) => this.last(author)?.shownAt ?? Number.NEGATIVE_INFINITY;
    return [...this.#authors.keys()].sort((one, other) => lastAt(one) - lastAt(other))[0];
  }

  #evict(author: ClientId): readonly LoggedEntry[] {
    const evicted: LoggedEntry[] = [];
    const own = this.#authors.get(author);
    const { entries, bytes, authorEntries, authorBytes } = this.#caps;
    while (own && (own.bytes > authorBytes || own.count > authorEntries))
      evicted.push(...this.#dropFirst(own));
    while (this.#count > entries || this.#bytes > bytes) {
      const largest = this.#largest();
      if (largest === null) break;
      evicted.push(...this.#dropFirst(largest));
    }
    return evicted;
  }

  #largest(): AuthorLog | null {
    let found: AuthorLog | null = null;
    let isFoundMet = true;
    for (const [author, log] of this.#authors) {
      // What we write is kept at first, however full it is.
      if (log.numbers.length <= Number(author === this.#standing.selfId)) continue;
      const isMet = this.#isMet(author);
      const goesBefore = isMet === isFoundMet ? log.bytes > (found?.bytes ?? -1) : isFoundMet;
      if (!goesBefore && found !== null) continue;
      found = log;
      isFoundMet = isMet;
    }
    return found;
  }

  #dropFirst(log: AuthorLog): readonly LoggedEntry[] {
    const n = log.numbers.shift() ?? 0;
    const versions = log.entries.get(n) ?? [];
    log.entries.delete(n);
    log.broken.delete(n);
    log.broken.delete(n + 1);
    log.openings.delete(n);
    log.floor = n + 1;
    for (const gone of log.gone) if (gone <= n) log.gone.delete(gone);
    if (log.whole === n) log.whole = null;
    log.count -= versions.length;
    this.#count -= versions.length;
    this.#addBytes(log, -versions.reduce((sum, { entry }) => sum + entryBytes(entry), 0));
    return versions;
  }
}

function newLog(): AuthorLog {
  return {
    ...{ entries: new Map(), numbers: [], count: 0, broken: new Set(), bytes: 0, floor: 1, whole: null },
    ...{ gone: new Set(), openings: new Set() },
  };
}

/** Updates whether each version of an entry follows one that is here. */
function updateLinks(log: AuthorLog, n: number): void {
  const before = log.entries.get(n - 1);
  const isBroken =
    before !== undefined &&
    (log.entries.get(n) ?? []).some(
      ({ entry, erased }) => !erased && !before.some((version) => version.entry.hash === entry.prev),
    );
  if (isBroken) log.broken.add(n);
  else log.broken.delete(n);
}

/** The index of the first number that is not below `n`. */
function firstAtLeast(numbers: readonly number[], n: number): number {
  if ((numbers.at(-1) ?? 0) < n) return numbers.length;
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? 0) < n) low = middle + 1;
    else high = middle;
  }
  return low;
}
