import {
  type ClientId,
  type LogEntry,
  type LogHead,
  limits,
  type MemberSince,
  type MessageId,
} from "@warren/protocol";
import type { Clock } from "../ports/clock.ts";
import { type Entry, wireBytes } from "./entry.ts";
import type { Members } from "./members.ts";
import { type EntryRange, forkReach, type RoomLog } from "./room-log.ts";
import type { LoggedEntry } from "./timeline.ts";

/** How long an answer may take. */
const answerMs = 10_000;
/** Requests to one member at once, and the entries one asks for. */
const requestsMax = { perMember: 4, entries: 1_000 } as const;
/** Logs at members that are compared with ours at once. */
const checkedMax = 500;
/** How long a member is not asked again for an author's entries after an answer without any; doubled each time. */
const backoff = { firstMs: 1_000, lastMs: 60_000 } as const;
/** Ranges that a member could not give are kept apart up to this many, and counted as one beyond. */
const exhaustedRangesMax = 64;
/**
 * The others' entries are announced to a member this often, and one at a time: at once of those whose author has left, since what it
 * wrote last may have reached only some; seldom of those whose author is here and gives them to everybody itself.
 */
const announceEveryMs = { authorLeft: 2_000, authorHere: 30_000 } as const;
/** To a member that lost what was announced to it all of that is announced again, this often. */
const announceAgainMs = 10_000;
/** Answers that a member may wait for; what it asks beyond is not answered. */
const answersMax = 8;

/** What a log asks its owner to send. */
export type SyncEffect =
  | {
      readonly type: "heads";
      readonly to: ClientId;
      readonly heads: LogHead[];
      readonly members: MemberSince[];
      readonly again?: true | undefined;
    }
  | {
      readonly type: "request-entries";
      readonly to: ClientId;
      readonly id: MessageId;
      readonly author: ClientId;
      readonly from: number;
      readonly until: number;
    }
  | {
      /**
       * A text of its receiver's is stored: our head of its author now ends with that entry, and is otherwise as announced before,
       * but for its oldest entries, which may have made space.
       */
      readonly type: "stored";
      readonly to: ClientId;
      readonly n: number;
      readonly hash: string;
    }
  | ({
      readonly type: "entries";
      readonly to: ClientId;
      readonly id?: MessageId;
      /** The hash of an entry of ours that nobody has asked for. */
      readonly hash?: string;
    } & EntryPage);

/** A part of an author's log, as it travels. */
export interface EntryPage {
  readonly author: ClientId;
  /** The author's key, if there are entries. */
  readonly key?: string | undefined;
  readonly entries: LogEntry[];
  /** In an answer: whether entries that were asked for are left. */
  readonly more?: true | undefined;
}

interface Request {
  readonly to: ClientId;
  readonly author: ClientId;
  readonly range: EntryRange;
  /** What it said it has when it was asked: it may have got more since. */
  readonly head: LogHead | undefined;
  readonly sentAt: number;
}

/** What a member cannot give us of an author's log: it was asked for that. */
interface Exhausted {
  ranges: EntryRange[];
  /** Not asked again before, and the wait after the next answer without entries. */
  until: number;
  backoffMs: number;
  /** How many entries more than ours its head counted after it had given those that it gives: it removed them. */
  uncounted: number;
}

/** A member we are connected with. */
interface Peer {
  /** What it can give us. */
  readonly heads: Map<ClientId, LogHead>;
  /** What we announced to it that we can give. */
  readonly announced: Map<ClientId, LogHead>;
  readonly announcedMembers: Map<ClientId, number>;
  /** Whether its heads have come. */
  hasAnnounced: boolean;
  /** When all was last announced to it. */
  announcedAllAt: number;
  readonly exhausted: Map<ClientId, Exhausted>;
  requests: number;
  answers: number;
}

interface SyncDeps {
  readonly selfId: ClientId;
  readonly log: RoomLog;
  readonly members: Members;
  /** Whether a client is neither asked for nor passed on, nor vouched for: it is blocked, or was removed from the members. */
  readonly isBarred: (client: ClientId) => boolean;
  /** Whether something of an author is not stored yet, so that it is announced to nobody. */
  readonly isUnstored: (author: ClientId) => boolean;
  readonly newId: () => MessageId;
  readonly clock: Pick<Clock, "now" | "elapsedMs">;
}

/**
 * Decides what to ask of whom, and what to give to whom. Pure: it is told what happened and when, and returns what to send.
 *
 * | What happened | What follows |
 * |---|---|
 * | a member connected | our heads to it, without those of others who are here, unless it is shown what they said before it came; with them our members, if our id is the lower one |
 * | its first heads | those of our members of whom it does not know as much |
 * | an entry of ours | the entry, to all; our heads then count as announced |
 * | an entry of others | our head of its author, at once to the author; to the others one by one, unless they have it |
 * | it has lost what we announced | our heads, all of them, to it |
 * | a text of its own | that it is stored, if that is all that our head of it would say; else our head |
 * | it has stored a text of ours | nothing: its head now ends with that text |
 * | its heads | requests for what we lack: of the author itself if it has it, else of who has the fewest to answer |
 * | its request | one page of what it may have |
 * | its answer | the next request; what it did not give is asked of others |
 * | no answer, or it left | as an answer without entries |
 */
export class Sync {
  readonly #deps: SyncDeps;
  readonly #peers = new Map<ClientId, Peer>();
  readonly #requests = new Map<MessageId, Request>();
  /** Authors with a request under way. */
  readonly #asked = new Map<ClientId, MessageId>();
  #announcedAt = Number.NEGATIVE_INFINITY;
  /** Authors of whom we may lack something, those considered longest ago first; {@link tick} adds all. */
  readonly #due = new Set<ClientId>();
  /** When an author's own heads last showed that it had written nothing more than we have. */
  readonly #upToDateAt = new Map<ClientId, number>();

  constructor(deps: SyncDeps) {
    this.#deps = deps;
  }

  /** The requests under way. */
  get requests(): number {
    return this.#requests.size;
  }

  /** Whether this is the id of a request under way. */
  isRequest(id: MessageId): boolean {
    return this.#requests.has(id);
  }

  /** What a member says it can give of an author's log, by which an author sees who has its entries. */
  headOf(peer: ClientId, author: ClientId): LogHead | undefined {
    return this.#peers.get(peer)?.heads.get(author);
  }

  /** By our own time of day, when an author was last known to have written nothing that is not here. */
  upToDateAt(author: ClientId): number | undefined {
    return this.#upToDateAt.get(author);
  }

  /** @param again whether it may have announced something before that we have lost */
  connected(peer: ClientId, again = false): SyncEffect[] {
    const state = newPeer(this.#deps.clock.elapsedMs());
    this.#peers.set(peer, state);
    // Of what was said before a newcomer came its author may announce nothing to it.
    const authors = [...this.#deps.log.authors()].filter(
      (author) => !this.#announcesItself(peer, author) || this.#headFor(peer, author)?.earlier !== undefined,
    );
    // Both mostly know the same members: one of the two says them, and the other one what is missing.
    const members = this.#deps.selfId < peer ? this.#unannouncedMembers(peer, state) : [];
    const announced = this.#headsFor(peer, state, authors, members) ?? {
      ...{ type: "heads", to: peer, heads: [], members: [] },
    };
    return [again ? { ...announced, again: true } : announced];
  }

  disconnected(peer: ClientId): SyncEffect[] {
    this.#peers.delete(peer);
    for (const [id, request] of this.#requests) if (request.to === peer) this.#end(id, request);
    // What it wrote last may have reached only some.
    this.#announcedAt = Number.NEGATIVE_INFINITY;
    return [...this.#ask(), ...this.#announceNext()];
  }

  /** We wrote an entry: it goes to everybody who is here. */
  wrote(logged: LoggedEntry): SyncEffect[] {
    const { author } = logged.entry;
    return [...this.#peers].map(([to, peer]) => {
      const head = this.#headFor(to, author);
      if (head !== null) peer.announced.set(author, head);
      return this.entryFor(to, logged);
    });
  }

  /** An entry of ours for a member that has not asked for it. */
  entryFor(to: ClientId, { entry, key }: LoggedEntry): SyncEffect {
    const { author, hash } = entry;
    return { type: "entries", to, author, key, entries: [wireOf(entry)], hash };
  }

  /** @param again whether it has lost what we announced to it */
  heads(
    from: ClientId,
    heads: readonly LogHead[],
    members: readonly MemberSince[],
    again = false,
  ): SyncEffect[] {
    const peer = this.#peers.get(from);
    if (peer === undefined) return [];
    for (const head of heads) this.#recordHead(from, peer, head);
    const now = this.#deps.clock.elapsedMs();
    const isFirst = !peer.hasAnnounced;
    peer.hasAnnounced = true;
    const isAnnouncedAgain = again && now - peer.announcedAllAt >= announceAgainMs;
    if (isAnnouncedAgain) {
      peer.announcedAllAt = now;
      peer.announced.clear();
      peer.announcedMembers.clear();
    }
    const vouched = members.filter(
      (member) =>
        member.client !== this.#deps.selfId && this.#deps.members.vouch(from, member, this.#deps.clock.now()),
    );
    this.#recordKnown(peer, members);
    const announced = [
      isAnnouncedAgain ? this.#announce(from) : null,
      isFirst ? this.#headsFor(from, peer, [], this.#unannouncedMembers(from, peer)) : null,
      ...vouched.map(({ client }) => this.#announce(client)),
    ];
    return [...announced.filter((heads) => heads !== null), ...this.#ask()];
  }

  /** Whether a member says that an entry which it gives us is from before we came. */
  isEarlier(from: ClientId, { author, n }: Pick<Entry, "author" | "n">): boolean {
    return n <= (this.#peers.get(from)?.heads.get(author)?.earlier ?? 0);
  }

  /** A member asks for entries. */
  requested(to: ClientId, id: MessageId, author: ClientId, range: EntryRange): SyncEffect[] {
    const peer = this.#peers.get(to);
    if (peer === undefined || peer.answers >= answersMax) return [];
    peer.answers++;
    const page: LogEntry[] = [];
    let key: string | undefined;
    let bytes = 0;
    let isCut = false;
    for (const logged of this.#givable(to, author, range)) {
      bytes += wireBytes(logged.entry);
      isCut = page.length >= limits.entriesPerPage || (page.length > 0 && bytes > limits.entryPageBytes);
      if (isCut) break;
      key = logged.key;
      page.push(wireOf(logged.entry));
    }
    return [{ type: "entries", to, id, author, key, entries: page, ...(isCut && { more: true }) }];
  }

  /** An answer to a member has left. */
  answered(peer: ClientId): void {
    const state = this.#peers.get(peer);
    if (state !== undefined) state.answers = Math.max(0, state.answers - 1);
  }

  /**
   * Entries came, and those that were good have been added to the log.
   * @param id that of the request, if they answer one
   * @param added how many were new
   */
  received(from: ClientId, id: MessageId, { author, entries, more }: EntryPage, added: number): SyncEffect[] {
    const peer = this.#peers.get(from);
    const request = this.#requests.get(id);
    const last = entries.at(-1);
    if (request !== undefined && request.to === from && request.author === author) {
      this.#end(id, request);
      const isCut = more === true && added > 0 && last !== undefined && last.n >= request.range.from;
      const done = isCut ? { from: request.range.from, to: last.n } : request.range;
      if (peer !== undefined) {
        const exhausted = recordAnswer(peer, author, done, added > 0, this.#deps.clock.elapsedMs());
        const { head } = request;
        if (head !== undefined && covers(done, lastOf(head)))
          exhausted.uncounted = Math.max(0, this.#uncounted(head));
      }
      if (from === author && (isCut || more === undefined)) this.#deps.log.markGone(author, done);
    } else if (peer !== undefined && author === from && last !== undefined) {
      const known = this.#deps.log.last(author)?.entry;
      const head = peer.heads.get(author);
      // It has just written it.
      if (known?.n === last.n && (head?.n ?? 0) < last.n)
        this.#recordHead(from, peer, {
          ...{ from: last.n, whole: last.n, count: 1, ...head },
          ...{ author, n: last.n, hash: known.hash },
        });
    }
    if (peer === undefined) return [];
    this.#due.add(author);
    // Who gave what another one wrote knows by that what we have; of what it wrote itself it hears at the end of an answer.
    const isAnnounced = from === author && (more === undefined || added === 0);
    const announced = isAnnounced
      ? (this.#storedText(from, peer, last) ?? this.#announceAuthor(from, author))
      : null;
    return [...(announced ? [announced] : []), ...this.#ask()];
  }

  /** A member has stored a text of ours. */
  stored(by: ClientId, { n, hash }: Pick<Entry, "n" | "hash">): void {
    const { selfId, log } = this.#deps;
    const peer = this.#peers.get(by);
    const head = peer?.heads.get(selfId);
    const isOurs = log.at(selfId, n).some(({ entry }) => entry.hash === hash);
    if (peer !== undefined && head?.n === n - 1 && isOurs)
      this.#recordHead(by, peer, extended(head, { n, hash }));
  }

  /** What came could not be stored: the same is asked for again after a while. */
  unstored(from: ClientId, id: MessageId, author: ClientId): void {
    const request = this.#requests.get(id);
    if (request !== undefined && request.to === from) this.#end(id, request);
    const peer = this.#peers.get(from);
    if (peer !== undefined) recordAnswer(peer, author, null, false, this.#deps.clock.elapsedMs());
  }

  /** Time passed. */
  tick(): SyncEffect[] {
    const now = this.#deps.clock.elapsedMs();
    for (const [id, request] of this.#requests) {
      if (now - request.sentAt < answerMs) continue;
      this.#end(id, request);
      const peer = this.#peers.get(request.to);
      if (peer !== undefined) recordAnswer(peer, request.author, request.range, false, now);
    }
    for (const { heads } of this.#peers.values()) for (const author of heads.keys()) this.#due.add(author);
    return [...this.#ask(), ...this.#announceNext()];
  }

  #recordHead(from: ClientId, peer: Peer, head: LogHead): void {
    const { author } = head;
    const before = peer.heads.get(author);
    if (before === undefined && peer.heads.size >= limits.logAuthors) return;
    peer.heads.set(author, head);
    this.#due.add(author);
    const exhausted = peer.exhausted.get(author);
    if (exhausted !== undefined && !isEqual(before, head)) exhausted.ranges = [];
    if (author === from) this.#recordBeginning(head);
    if (author === from && head.n <= (this.#deps.log.last(author)?.entry.n ?? 0))
      this.#upToDateAt.set(author, this.#deps.clock.now());
  }

  /** An author gives us nothing below the beginning of its head any more: that was evicted there, or the room forgotten. */
  #recordBeginning({ author, from }: LogHead): void {
    const first = this.#deps.log.firstSince(author, Number.NEGATIVE_INFINITY);
    if (first !== null && first < from) this.#deps.log.markGone(author, { from: first, to: from - 1 });
  }

  #ask(): SyncEffect[] {
    const effects: SyncEffect[] = [];
    const now = this.#deps.clock.elapsedMs();
    const isFree = ({ requests }: Peer) => requests < requestsMax.perMember;
    const free = [...this.#peers].filter(([, peer]) => isFree(peer));
    const busy = [...this.#peers.values()].filter((peer) => !isFree(peer));
    free.sort(([, one], [, other]) => one.requests - other.requests);
    if (free.length === 0) return effects;
    let checked = 0;
    for (const author of this.#due) {
      if (this.#asked.has(author)) continue;
      const asked = free.filter(
        ([, { heads, exhausted }]) => heads.has(author) && (exhausted.get(author)?.until ?? 0) <= now,
      );
      checked += asked.length;
      // The rest has its turn at the next tick: members can claim any number of authors.
      if (checked > checkedMax) break;
      const found = this.#whomToAsk(author, asked);
      if (found !== null || !busy.some(({ heads }) => heads.has(author))) this.#due.delete(author);
      if (found === null) continue;
      const id = this.#deps.newId();
      const [to, peer, range] = found;
      this.#requests.set(id, { to, author, range, head: peer.heads.get(author), sentAt: now });
      this.#asked.set(author, id);
      peer.requests++;
      effects.push({ type: "request-entries", to, id, author, from: range.from, until: range.to });
    }
    return effects;
  }

  /** The author itself if it has what we lack, else who has the fewest requests to answer. */
  #whomToAsk(
    author: ClientId,
    peers: readonly (readonly [ClientId, Peer])[],
  ): readonly [ClientId, Peer, EntryRange] | null {
    const own = peers.filter(([id]) => id === author);
    for (const [id, peer] of [...own, ...peers.filter(([id]) => id !== author)]) {
      if (peer.requests >= requestsMax.perMember) continue;
      const [range] = this.#wanted(peer, author);
      if (range !== undefined)
        return [id, peer, { from: range.from, to: Math.min(range.to, range.from + requestsMax.entries - 1) }];
    }
    return null;
  }

  /** What we lack of an author's log and a member says it has. */
  #wanted({ heads, exhausted }: Peer, author: ClientId): readonly EntryRange[] {
    const { log, isBarred } = this.#deps;
    const head = heads.get(author);
    if (head === undefined || isBarred(author)) return [];
    const all = [...log.missing(author, { from: head.from, to: head.n })];
    const versions = log.at(author, head.n);
    const isOther = versions.length > 0 && !versions.some(({ entry }) => entry.hash === head.hash);
    if (isOther) all.push({ from: head.n, to: head.n });
    const { ranges = [], uncounted = 0 } = exhausted.get(author) ?? {};
    // The entries that we have need not follow the version that we lack.
    if (all.length === 0 && log.floorOf(author) <= head.from && this.#uncounted(head) > uncounted)
      all.push(lastOf(head));
    return all.flatMap((range) => subtract(range, ranges));
  }

  /** How many entries more than ours a head counts. */
  #uncounted({ author, from, count }: LogHead): number {
    return count - this.#deps.log.countFrom(author, from);
  }

  #end(id: MessageId, { to, author }: Request): void {
    this.#requests.delete(id);
    if (this.#asked.get(author) === id) this.#asked.delete(author);
    this.#due.add(author);
    const peer = this.#peers.get(to);
    if (peer !== undefined) peer.requests--;
  }

  /** What a member may have of a range. */
  *#givable(to: ClientId, author: ClientId, range: EntryRange): Generator<LoggedEntry> {
    const first = this.#firstGiven(to, author) ?? Number.POSITIVE_INFINITY;
    const from = Math.min(first, this.#openings(author)[0] ?? first);
    for (const logged of this.#deps.log.range(author, { from: Math.max(range.from, from), to: range.to }))
      if (!logged.erased && (logged.entry.n >= first || logged.opening)) yield logged;
  }

  /** The numbers of what we said before anybody came, which whoever comes may have; others pass it on to nobody else. */
  #openings(author: ClientId): readonly number[] {
    return author === this.#deps.selfId ? this.#deps.log.openingsOf(author) : [];
  }

  /** The number from which on a member may have the entries of an author. */
  #firstGiven(to: ClientId, author: ClientId): number | null {
    const { log, members, isBarred } = this.#deps;
    if (isBarred(author)) return null;
    // What one wrote is one's own, also after losing it.
    if (author === to) return log.firstSince(author, Number.NEGATIVE_INFINITY);
    return log.firstSince(author, members.givenSince(to));
  }

  /** Our head of an author's log for a member; null if there is nothing that it may have. */
  #headFor(to: ClientId, author: ClientId): LogHead | null {
    const { log } = this.#deps;
    const first = this.#firstGiven(to, author);
    const last = log.last(author)?.entry;
    if (last === undefined || this.#deps.isUnstored(author)) return null;
    const openings = this.#openings(author).filter((n) => n < (first ?? last.n + 1));
    const from = openings[0] ?? first;
    if (from === null) return null;
    const whole = Math.max(from, log.wholeFrom(author));
    const earlier = this.#lastEarlier(to, author, last.n);
    const count = openings.length + (first === null ? 0 : log.countFrom(author, first));
    return {
      ...{ author, from, whole, n: last.n, count, hash: last.hash },
      ...(earlier >= from && { earlier }),
    };
  }

  /** The last number of what an author wrote before a newcomer came that is shown it; 0 if nothing. */
  #lastEarlier(to: ClientId, author: ClientId, last: number): number {
    const { log, members } = this.#deps;
    const since = this.#openings(author).length > 0 ? members.sinceOf(to) : members.newcomerSince(to);
    if (typeof since !== "number" || author === to) return 0;
    return (log.firstSince(author, since) ?? last + 1) - 1;
  }

  /** Whether another client announces what it has to a member itself, as far as we know: it is here. */
  #announcesItself(to: ClientId, client: ClientId): boolean {
    return client !== to && this.#peers.has(client);
  }

  /** What has not been announced to a member yet; null if nothing. */
  #announce(to: ClientId) {
    const peer = this.#peers.get(to);
    if (peer === undefined) return null;
    return this.#headsFor(to, peer, [...this.#deps.log.authors()], this.#unannouncedMembers(to, peer));
  }

  /** That a member's text is stored, if our head of it says nothing else that is new; null if it does. */
  #storedText(to: ClientId, peer: Peer, last: LogEntry | undefined): SyncEffect | null {
    const before = peer.announced.get(to);
    const head = this.#headFor(to, to);
    // Such an answer to a file accepts it.
    if (last?.kind !== "text" || before?.n !== last.n - 1 || head === null) return null;
    if (!isEqual(begun(extended(before, head), head.from), head)) return null;
    peer.announced.set(to, head);
    return { type: "stored", to, n: head.n, hash: head.hash };
  }

  /** What has not been announced to a member yet of one author; null if nothing. */
  #announceAuthor(to: ClientId, author: ClientId) {
    const peer = this.#peers.get(to);
    return peer === undefined ? null : this.#headsFor(to, peer, [author], []);
  }

  #headsFor(to: ClientId, peer: Peer, authors: readonly ClientId[], members: MemberSince[]) {
    const heads: LogHead[] = [];
    for (const author of authors) {
      const head = this.#headFor(to, author);
      if (head === null || isEqual(peer.announced.get(author), head)) continue;
      peer.announced.set(author, head);
      heads.push(head);
      if (heads.length === limits.logAuthors) break;
    }
    for (const { client, since } of members) peer.announcedMembers.set(client, since);
    if (heads.length === 0 && members.length === 0) return null;
    return { type: "heads", to, heads, members } as const;
  }

  /** A member knows of others what it says itself: that they are members for a shorter time is not announced to it. */
  #recordKnown(peer: Peer, said: readonly MemberSince[]): void {
    for (const { client, since } of said) {
      const known = this.#deps.members.sinceOf(client);
      if (known !== undefined && since <= known) peer.announcedMembers.set(client, known);
    }
  }

  #unannouncedMembers(to: ClientId, peer: Peer): MemberSince[] {
    const { members, isBarred } = this.#deps;
    return members
      .list()
      .filter(({ client, since }) => client !== to && peer.announcedMembers.get(client) !== since)
      .filter(({ client }) => !isBarred(client))
      .slice(0, limits.logAuthors)
      .map(({ client, since }) => ({ client, since }));
  }

  #announceNext(): SyncEffect[] {
    const now = this.#deps.clock.elapsedMs();
    const { authorLeft, authorHere } = announceEveryMs;
    if (now - this.#announcedAt < authorLeft) return [];
    const isForAll = now - this.#announcedAt >= authorHere;
    for (const [id, peer] of this.#peers) {
      const announced = this.#hasUnannounced(id, peer, isForAll) ? this.#announce(id) : null;
      if (announced === null) continue;
      this.#announcedAt = now;
      return [announced];
    }
    return [];
  }

  /**
   * Whether an entry or a member was not announced to a member, which does not say itself that it has the entry.
   * @param isForAll whether that counts also for entries and members of whom the member hears from themselves if both are here
   */
  #hasUnannounced(id: ClientId, peer: Peer, isForAll: boolean): boolean {
    for (const author of this.#deps.log.authors()) {
      if (!isForAll && this.#announcesItself(id, author)) continue;
      const head = this.#headFor(id, author);
      if (head === null || isEqual(peer.announced.get(author), head)) continue;
      const theirs = peer.heads.get(author);
      const hasIt = theirs?.hash === head.hash && theirs.count >= head.count;
      // The author hears of it all the same, to know who has what it wrote.
      if (author === id || !hasIt) return true;
    }
    return this.#unannouncedMembers(id, peer).some(
      ({ client }) => isForAll || !this.#announcesItself(id, client),
    );
  }
}

function newPeer(now: number): Peer {
  return {
    announcedAllAt: now - announceAgainMs,
    heads: new Map(),
    announced: new Map(),
    announcedMembers: new Map(),
    hasAnnounced: false,
    exhausted: new Map(),
    requests: 0,
    answers: 0,
  };
}

/** Where entries may be that a head counts and we do not have, if none is missing. */
function lastOf({ from, n }: LogHead): EntryRange {
  return { from: Math.max(from, n - forkReach + 1), to: n };
}

function covers(range: EntryRange, { from, to }: EntryRange): boolean {
  return range.from <= from && range.to >= to;
}

function isEqual(one: LogHead | undefined, other: LogHead): boolean {
  return (["from", "whole", "n", "count", "hash"] as const).every((field) => one?.[field] === other[field]);
}

/** A head to which one entry was added. */
function extended(head: LogHead, { n, hash }: Pick<LogHead, "n" | "hash">): LogHead {
  return { ...head, n, hash, count: head.count + 1 };
}

/** A head without the entries before a number, of which it had all. */
function begun(head: LogHead, from: number): LogHead {
  const whole = Math.max(head.whole, from);
  return { ...head, from, whole, count: head.count - (from - head.from) };
}

function wireOf({ tag: _tag, author: _author, hash: _hash, ...wire }: Entry): LogEntry {
  return wire;
}

/** Records that a member has answered for a range, and so gives nothing more of it; null if it may give the same again. */
function recordAnswer(
  peer: Peer,
  author: ClientId,
  range: EntryRange | null,
  wasUseful: boolean,
  now: number,
): Exhausted {
  const before = peer.exhausted.get(author);
  const backoffMs = before?.backoffMs ?? backoff.firstMs;
  const ranges = united([...(before?.ranges ?? []), ...(range === null ? [] : [range])]);
  const [first, last] = [ranges[0], ranges.at(-1)];
  const isTooMany = ranges.length > exhaustedRangesMax && first !== undefined && last !== undefined;
  const exhausted: Exhausted = {
    ranges: isTooMany ? [{ from: first.from, to: last.to }] : ranges,
    until: wasUseful ? 0 : now + backoffMs,
    backoffMs: wasUseful ? backoff.firstMs : Math.min(backoff.lastMs, 2 * backoffMs),
    uncounted: before?.uncounted ?? 0,
  };
  peer.exhausted.set(author, exhausted);
  return exhausted;
}

/** The same numbers in ascending ranges that neither overlap nor touch. */
function united(ranges: readonly EntryRange[]): EntryRange[] {
  const result: EntryRange[] = [];
  for (const range of [...ranges].sort((one, other) => one.from - other.from)) {
    const last = result.at(-1);
    if (last === undefined || range.from > last.to + 1) result.push(range);
    else result[result.length - 1] = { from: last.from, to: Math.max(last.to, range.to) };
  }
  return result;
}

/** A range without others. */
function subtract(range: EntryRange, others: readonly EntryRange[]): readonly EntryRange[] {
  let left: readonly EntryRange[] = [range];
  for (const { from, to } of others)
    left = left.flatMap((part) =>
      to < part.from || from > part.to
        ? [part]
        : [
            { from: part.from, to: from - 1 },
            { from: to + 1, to: part.to },
          ].filter((piece) => piece.from <= piece.to),
    );
  return left;
}
