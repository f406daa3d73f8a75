import {
  type ClientId,
  type ErrorCode,
  type LogEntry,
  limits,
  type MessageId,
  type PeerMessageOf,
  type RoomTag,
  toWarrenError,
  toWellFormed,
  utf8Length,
  WarrenError,
} from "@warren/protocol";
import { encodeBase64url } from "../handshake/crypto/encoding.ts";
import type { Identity } from "../handshake/identity.ts";
import { ImportedKeys } from "../handshake/identity-signature.ts";
import type { ChatRoom } from "../messages/chat-deps.ts";
import { type MissingEntries, metMembers, type RoomMembers } from "../messages/chat-state.ts";
import { EntryChanges, isPaced } from "../messages/entry-changes.ts";
import { bodyOfFile, fileKind, offerOfEntry, withRecipient } from "../messages/file-entry.ts";
import {
  type ChatMessage,
  type Delivery,
  entryHashOf,
  entryMessageId,
  entryNumberOf,
  everyone,
  isPending,
  type MessageHead,
  type MessageKey,
  messageKeyOf,
  messageNameOf,
  type TextMessage,
} from "../messages/message.ts";
import { bodyOfDeletion, changeOfEntry, deletedNumbers, withChange } from "../messages/message-changes.ts";
import type { MessageLog } from "../messages/message-log.ts";
import type { Outbox, OwnBody } from "../messages/outbox.ts";
import type { VisitedRoom } from "../messages/room-book.ts";
import {
  entryKeyOf,
  entryRecord,
  erasedRecord,
  floorKeyOf,
  floorRecord,
  type LogName,
  memberKeyOf,
  memberRecord,
  type OwnHead,
  ownHeadRecord,
  readLog,
} from "../messages/stored-log.ts";
import { errorAnswer } from "../messages/wire-error.ts";
import type { CancelTimer, Clock } from "../ports/clock.ts";
import type { RecordStorage, StoredRecord } from "../ports/record-storage.ts";
import {
  type Entry,
  type EntryContent,
  faultOfEntry,
  readEntry,
  wireBytes,
  writeEntry,
} from "../room-log/entry.ts";
import { Members } from "../room-log/members.ts";
import { type Added, logCaps, RoomLog } from "../room-log/room-log.ts";
import { type EntryPage, Sync, type SyncEffect } from "../room-log/sync.ts";
import type { LoggedEntry } from "../room-log/timeline.ts";
import type { OutgoingMessage } from "../session/message-channel.ts";
import { randomUuid } from "../shared/ids.ts";
import type { Log } from "../shared/log.ts";
import { SerialQueue } from "../shared/serial-queue.ts";
import type { WritableStore } from "../shared/store.ts";

const tickMs = 1_000;
/** What is missing for less may just be on its way. */
const missingAfterMs = 5_000;
/** Beside the entry, a frame holds its envelope. */
const envelopeBytes = 4_096;
/** What a newcomer is shown of what was said before, where somebody wants that: so many entries of so long. */
const newcomers = { entries: 100, ms: 24 * 60 * 60 * 1_000 } as const;
/** Why the offer that an entry is may not be shown here. */
const unshownOffers: ReadonlySet<ErrorCode> = new Set([
  "rate-limited",
  "cache-exists",
  "tree-invalid",
  "tree-too-large",
]);

interface LogExchangeDeps {
  readonly identity: Identity;
  readonly ownName: () => string;
  readonly room: ChatRoom;
  readonly messages: MessageLog;
  readonly outbox: Pick<Outbox, "acknowledge">;
  readonly storage: RecordStorage;
  /** The tag for which the entries of the room we are in are signed. */
  readonly logTag: () => Promise<RoomTag>;
  /** Whether a client reads and writes logs. */
  readonly readsLog: (peer: ClientId) => boolean;
  readonly isBlocked: (clientId: ClientId) => boolean;
  /** An entry has come that may be a change of a message that is here: applies it, and stores these records together with that. */
  readonly receiveChange: (room: RoomTag, entry: Entry, put: readonly StoredRecord[]) => Promise<void>;
  /** Whether another edit or reaction of an author may be applied now. */
  readonly takesChange: (author: ClientId) => boolean;
  /** Shows a file that a client offers to everyone in a room. */
  readonly receiveFile: (offer: PeerMessageOf<"send-file">, head: MessageHead) => Promise<void>;
  /** A client that was away has what we offered to everyone: it may have the file itself by now. */
  readonly recipientAdded: (key: MessageKey, peer: ClientId) => void;
  /** A text of a client to everyone in the room we are in is here. */
  readonly hasWritten: (author: ClientId) => void;
  /** Whether newcomers to a room are shown what was said there lately, and who is none of its members any more. */
  readonly factsOf: (room: RoomTag) => Pick<VisitedRoom, "showsNewcomers" | "removed"> | undefined;
  /** Whether a client may have told us something while there was no log to keep it. */
  readonly hasMissed: (peer: ClientId) => boolean;
  /** How many entries of each author have not arrived although later ones have. */
  readonly missing: WritableStore<MissingEntries>;
  readonly members: WritableStore<RoomMembers>;
  /** The lowest number of our own entries that is kept. */
  readonly ownFloor: WritableStore<number>;
  readonly clock: Clock;
  readonly log: Log;
}

/** The log of one room, loaded. */
interface OpenLog extends LogName {
  readonly entries: RoomLog;
  readonly members: Members;
  readonly sync: Sync;
  readonly connected: Set<ClientId>;
  readonly changes: EntryChanges;
  /** Our last entry as it was when the log was read. */
  readonly ownHead: OwnHead | null;
  /** How many entries of each author are not stored yet. */
  readonly unstored: Map<ClientId, number>;
  /** Since when entries of an author have been missing. */
  readonly missingSince: Map<ClientId, number>;
}

type AddedEntry = Added & { readonly outcome: "added" };

type OwnContent = Pick<EntryContent, "kind" | "about" | "body"> & Partial<Pick<EntryContent, "time">>;

function contentOf(own: OwnBody): OwnContent {
  return own.type === "text"
    ? { kind: "text", body: own.data, about: own.quote && messageNameOf(own.quote) }
    : { kind: fileKind, body: bodyOfFile(own) };
}

/**
 * The log of the room we are in: writes what we say to everyone, gives others what they may have, and shows what arrives. What
 * is asked of whom is decided in `room-log/sync.ts`; this sends, verifies and stores. What arrives is taken in one order, so that
 * an entry is in the log before the next message about it is read; storing it holds nothing up.
 */
export class LogExchange {
  readonly #deps: LogExchangeDeps;
  readonly #keys = new ImportedKeys(limits.logAuthors);
  #room: RoomTag;
  #open: Promise<OpenLog> | null = null;
  /** The steps with the open log. */
  readonly #steps = new SerialQueue();
  /** Our entries, as they are written. */
  readonly #writes = new SerialQueue();
  /** Our entries that are on the way out, by client and hash. */
  readonly #leaving = new Map<string, Promise<void>>();
  #stopTicking: CancelTimer | null = null;
  #isClosed = false;

  constructor(deps: LogExchangeDeps) {
    this.#deps = deps;
    this.#room = deps.messages.store.getState().room;
  }

  /** We are in this room from now on. */
  enterRoom(room: RoomTag): void {
    if (room === this.#room) return;
    this.#room = room;
    this.#forgetOpen();
  }

  /** What was kept of a room has been deleted. */
  forgetRoom(room: RoomTag): void {
    if (room === this.#room) this.#forgetOpen();
  }

  /**
   * Reads the log of a room, and meets all who are there.
   * @throws WarrenError `no-session` if we are in another room, `storage-failed`.
   */
  async open(room: RoomTag): Promise<void> {
    await this.#opened(room);
  }

  /**
   * Says something to everyone in a room. Resolves with its message once that is stored, or waits for storage as every message
   * does, and is on its way to all who are there.
   * @throws WarrenError `no-session` if we are in another room, `frame-too-large`, `storage-full` or `storage-failed`; nothing
   * is sent then.
   */
  post(room: RoomTag, own: OwnBody, recipients: readonly ClientId[]): Promise<ChatMessage> {
    const { messages } = this.#deps;
    const sending = recipients.map((peer): [ClientId, Delivery] => [peer, { status: "sending" }]);
    const deliveries = Object.fromEntries(sending);
    return this.#writeInTurn(room, contentOf(own), async (logged, put) => {
      // What is not well formed could not be signed as it is.
      const body = own.type === "text" ? { ...own, data: logged.entry.body } : own;
      const message: ChatMessage = { ...this.#headOf(room, logged), deliveries, ...body };
      await messages.add(message, { read: true, with: put });
      return message;
    });
  }

  /**
   * Writes a change of a message for everyone in a room. Rejects as {@link post}.
   * @param store makes that change, and stores these records with it
   */
  async change(
    room: RoomTag,
    content: OwnContent,
    store: (put: readonly StoredRecord[]) => Promise<void>,
  ): Promise<void> {
    await this.#writeInTurn(room, content, (_logged, put) => store(put));
  }

  /** Resolves once an entry of ours is on its way to a client no longer. Rejects if the connection ended before. */
  async whenLeft(peer: ClientId, { id }: Pick<ChatMessage, "id">): Promise<void> {
    await this.#leaving.get(leavingKey(peer, entryHashOf(id)));
  }

  /** Sends an entry of ours once more to a client that refused it. */
  sendAgain(peer: ClientId, { id, entry: n = 0 }: Pick<ChatMessage, "id" | "entry">): Promise<void> {
    return this.#inTurn(this.#room, async (open) => {
      const hash = entryHashOf(id);
      const versions = open.entries.at(this.#deps.identity.clientId, n);
      const logged = versions.find(({ entry }) => entry.hash === hash);
      if (logged !== undefined && !logged.erased && open.connected.has(peer))
        this.#run(open, [open.sync.entryFor(peer, logged)]);
    });
  }

  /** A message that showed an entry was removed here: its text is not kept or passed on any more. */
  erase(message: ChatMessage, room: RoomTag): Promise<void> {
    const { client: author, entry: n = 0, id } = message;
    return this.#inTurn(room, async (open) => {
      open.entries.erase({ author, n, hash: entryHashOf(id) });
      this.#eraseEdits(open, message.key, message.sortedAt);
    });
  }

  /** A client can be sent messages. Rejects if the log cannot be read. */
  async peerReady(peer: ClientId): Promise<void> {
    const room = this.#room;
    const open = await this.#opened(room);
    await this.#inTurn(room, async () => this.#connect(open, peer));
  }

  peerLost(peer: ClientId): Promise<void> {
    return this.#inTurn(this.#room, async (open) => {
      if (open.connected.has(peer)) this.#disconnect(open, peer);
    });
  }

  /** The person removed a member of a room, or allowed one again. */
  membersChanged(room: RoomTag): Promise<void> {
    return this.#inTurn(room, async (open) => {
      for (const peer of open.connected) if (this.#isBarred(room, peer)) this.#disconnect(open, peer);
      // What it announced meanwhile was not taken.
      for (const peer of this.#deps.room.readyPeers()) this.#connect(open, peer, true);
      this.#showMembers(open);
    });
  }

  receiveHeads(
    from: ClientId,
    { heads, members, again }: PeerMessageOf<"heads">,
    room: RoomTag,
  ): Promise<void> {
    return this.#inTurn(room, async (open) => {
      this.#connect(open, from);
      if (!open.connected.has(from)) return;
      this.#run(open, open.sync.heads(from, heads, members, again));
      if (members.length > 0) this.#saveMembers(open);
      this.#saveGone(open);
      this.#markReceived(open, from);
    });
  }

  receiveRequest(
    from: ClientId,
    { id, author, from: first, until }: PeerMessageOf<"request-entries">,
    room: RoomTag,
  ): Promise<void> {
    return this.#inTurn(room, async (open) => {
      this.#run(open, open.sync.requested(from, id, author, { from: first, to: until }));
    });
  }

  /** Resolves once the entries are stored. */
  async receiveEntries(
    from: ClientId,
    { id, ...wire }: PeerMessageOf<"entries">,
    room: RoomTag,
  ): Promise<void> {
    const page = this.#pageOf(from, wire);
    let finish = async () => {};
    await this.#inTurn(room, async (open) => {
      this.#connect(open, from);
      if (!open.connected.has(from) || this.#isBarred(room, page.author)) return;
      const isAnswer = open.sync.isRequest(id);
      const checked = await this.#checked(open, from, page);
      const added = checked.map((entry) => this.#add(open, from, entry, page.key ?? "", isAnswer));
      const stored = added.filter((result) => result.outcome === "added");
      const storing = Promise.all(stored.map((result) => this.#storeReceived(open, result, from)));
      finish = async () => {
        if ((await storing).every((isStored) => isStored)) {
          this.#run(open, open.sync.received(from, id, page, stored.length));
          this.#saveGone(open);
        } else open.sync.unstored(from, id, page.author);
      };
    });
    await finish();
  }

  /** A client has stored the entry of ours that a message with this id shows. */
  receiveStored(by: ClientId, id: MessageId, room: RoomTag): Promise<void> {
    return this.#inTurn(room, async (open) => {
      open.sync.stored(by, { n: entryNumberOf(id) ?? 0, hash: entryHashOf(id) });
      this.#markReceived(open, by);
    });
  }

  /** Resolves once what has been read is being stored. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stopTicking?.();
    await this.#steps.settled();
  }

  /** Of what its author deleted only the number and the hash are left. */
  #eraseDeleted(open: OpenLog, { author, about }: Entry): void {
    if (about === undefined || about.client !== author) return;
    for (const { entry, shownAt, erased } of open.entries.at(author, entryNumberOf(about.id) ?? 0)) {
      if (erased || entry.hash !== entryHashOf(about.id)) continue;
      open.entries.erase(entry);
      this.#deps.messages.write({ put: [erasedRecord(open.room, entry, shownAt)] });
      this.#eraseEdits(open, keyOf(entry), shownAt);
    }
  }

  /** An edit holds the words of its text. */
  #eraseEdits(open: OpenLog, key: MessageKey, shownAt: number): void {
    for (const edit of open.changes.editsOf(key)) {
      open.changes.forget(edit);
      open.entries.erase(edit);
      this.#deps.messages.write({ put: [erasedRecord(open.room, edit, shownAt)] });
    }
  }

  #tick(): void {
    const step = async (open: OpenLog) => {
      this.#run(open, open.sync.tick());
      this.#updateMissing(open);
      this.#applyWaiting(open);
      this.#stopIfIdle(open);
    };
    void this.#inTurn(this.#room, step).catch(() => {});
  }

  #stopIfIdle({ connected, changes }: OpenLog): void {
    if (connected.size > 0 || changes.hasWaiting) return;
    this.#stopTicking?.();
    this.#stopTicking = null;
  }

  /** Of those that replace each other only the one that holds is applied. */
  #applyWaiting(open: OpenLog): void {
    const { room, changes, entries } = open;
    for (const [last, all] of changes.takeWaiting(({ author }) => this.#deps.takesChange(author))) {
      const kept = all.filter(({ entry: { author, n, hash } }) =>
        entries.at(author, n).some((logged) => logged.entry.hash === hash && !logged.erased),
      );
      void this.#applyChange(
        open,
        last,
        kept.map((logged) => entryRecord(room, { ...logged, waits: undefined })),
      );
    }
  }

  #updateMissing({ room, entries, missingSince }: OpenLog): void {
    const { clock, missing } = this.#deps;
    const counts: Record<ClientId, number> = {};
    for (const author of entries.authors()) {
      const count = this.#isBarred(room, author) ? 0 : entries.gaps(author);
      const since = missingSince.get(author) ?? clock.elapsedMs();
      if (count === 0) missingSince.delete(author);
      else missingSince.set(author, since);
      if (count > 0 && clock.elapsedMs() - since >= missingAfterMs) counts[author] = count;
    }
    if (!isEqual(counts, missing.getState())) missing.setState(counts, true);
  }

  #forgetOpen(): void {
    this.#open = null;
    this.#deps.missing.setState({}, true);
    this.#deps.members.setState({}, true);
    this.#deps.ownFloor.setState(1, true);
    this.#stopTicking?.();
    this.#stopTicking = null;
  }

  /** The log of the room we are in. @throws as {@link open}. */
  async #opened(room: RoomTag): Promise<OpenLog> {
    if (room !== this.#room) throw new WarrenError("no-session", { id: everyone });
    const opening = this.#open ?? this.#load(room);
    this.#open = opening;
    try {
      const open = await opening;
      if (room !== this.#room) throw new WarrenError("no-session", { id: everyone });
      return open;
    } catch (thrown) {
      if (this.#open === opening && room === this.#room) this.#open = null;
      throw thrown;
    }
  }

  /** Does one step with the log of a room, after those before; does nothing if we are in another room by then. */
  #inTurn(room: RoomTag, step: (open: OpenLog) => Promise<void>): Promise<void> {
    return this.#steps.run(async () => {
      if (room === this.#room) await step(await this.#opened(room));
    });
  }

  async #load(room: RoomTag): Promise<OpenLog> {
    const { identity, storage, clock } = this.#deps;
    const selfId = identity.clientId;
    const name = { room, tag: await this.#deps.logTag() };
    const stored = await readLog(storage, name);
    const members = new Members(stored.members);
    const entries = new RoomLog({ selfId, isMet: (author) => members.isMet(author) });
    for (const { author, floor, gone } of stored.floors) entries.keepFrom(author, floor, gone);
    for (const logged of stored.entries) entries.restore(logged);
    // What we forgot of our own log does not count as on its way here.
    const ownHead = stored.ownHead;
    if (ownHead !== null) entries.keepFrom(selfId, 1, numbersUpTo(ownHead.n));
    const unstored = new Map<ClientId, number>();
    const sync = new Sync({
      ...{ selfId, log: entries, members, clock },
      isBarred: (client) => this.#isBarred(room, client),
      isUnstored: (author) => unstored.has(author),
      newId: randomUuid,
    });
    const open: OpenLog = {
      ...name,
      entries,
      members,
      sync,
      connected: new Set(),
      unstored,
      missingSince: new Map(),
      changes: new EntryChanges(),
      ownHead,
    };
    for (const logged of stored.entries) {
      if (!logged.erased) recordChange(open, logged.entry);
      if (logged.waits) open.changes.defer(logged);
    }
    // The log could not be opened when they were erased, or the page closed before they were.
    for (const { entry, erased, shownAt } of stored.entries)
      if (erased) this.#eraseEdits(open, keyOf(entry), shownAt);
      else if (entry.kind === "delete") this.#eraseDeleted(open, entry);
    if (this.#ownHeadOf(open)?.hash !== ownHead?.hash) this.#saveOwnHead(open);
    if (room === this.#room) this.#showMembers(open);
    this.#showOwnFloor(open);
    if (room === this.#room && open.changes.hasWaiting) this.#startTicking();
    // Those whom an earlier failure kept from it.
    if (room === this.#room) for (const peer of this.#deps.room.readyPeers()) this.#connect(open, peer);
    return open;
  }

  /**
   * Connects the log with that of a client that is there, once. What it announces may be read before the step that
   * {@link peerReady} queues.
   */
  #connect(open: OpenLog, peer: ClientId, again = this.#deps.hasMissed(peer)): void {
    const { clock, room, readsLog } = this.#deps;
    if (open.connected.has(peer) || !readsLog(peer) || !room.isReady(peer) || this.#isClosed) return;
    if (this.#isBarred(open.room, peer)) return;
    open.connected.add(peer);
    const now = clock.now();
    // Another member may have told us of it first, also when it has only just come.
    const isShown = !open.members.isMet(peer) && this.#deps.factsOf(open.room)?.showsNewcomers === true;
    open.members.meet(
      peer,
      now,
      this.#nameOf(peer),
      isShown ? open.entries.sinceOfLast(newcomers.entries, now - newcomers.ms) : undefined,
    );
    this.#saveMembers(open);
    this.#run(open, open.sync.connected(peer, again));
    this.#startTicking();
  }

  #nameOf(peer: ClientId): string | undefined {
    return this.#deps.messages.contacts.get(peer)?.name;
  }

  #disconnect(open: OpenLog, peer: ClientId): void {
    open.connected.delete(peer);
    open.members.meet(peer, this.#deps.clock.now(), this.#nameOf(peer));
    this.#saveMembers(open);
    this.#run(open, open.sync.disconnected(peer));
    this.#stopIfIdle(open);
  }

  /** Whether a client has no part in a room here: the person blocked it, or removed it from the members. */
  #isBarred(room: RoomTag, client: ClientId): boolean {
    return this.#deps.isBlocked(client) || this.#deps.factsOf(room)?.removed?.includes(client) === true;
  }

  #startTicking(): void {
    this.#stopTicking ??= this.#deps.clock.every(tickMs, () => this.#tick());
  }

  #writeInTurn<T>(
    room: RoomTag,
    content: OwnContent,
    store: (logged: LoggedEntry, put: readonly StoredRecord[]) => Promise<T>,
  ): Promise<T> {
    return this.#writes.run(() => this.#write(room, content, store));
  }

  async #write<T>(
    room: RoomTag,
    { kind, about, body: written, time }: OwnContent,
    store: (logged: LoggedEntry, put: readonly StoredRecord[]) => Promise<T>,
  ): Promise<T> {
    const { identity, messages, clock } = this.#deps;
    const open = await this.#opened(room);
    const edits =
      kind === "delete" && about ? open.changes.editsOf(messageKeyOf(about.client, about.id)) : null;
    const body = edits === null ? written : bodyOfDeletion(edits);
    const by = { time: time ?? clock.now(), name: this.#deps.ownName() };
    const content = { ...by, kind, ...(about && { about }), body: toWellFormed(body) };
    if (wireBytes(content) + envelopeBytes > limits.peerFrameBytes)
      throw new WarrenError("frame-too-large", {
        sizeBytes: utf8Length(JSON.stringify(body)),
        limitBytes: limits.textBytes,
      });
    const entry = await writeEntry(identity, open.tag, this.#ownHeadOf(open), content);
    await this.#opened(room);
    const opening = this.#isOpening(open, entry) ? true : undefined;
    const arrivedAt = messages.nextSortedAt();
    const key = encodeBase64url(identity.publicKey);
    const logged: LoggedEntry = { entry, key, via: identity.clientId, shownAt: arrivedAt, opening };
    const stored = await store(logged, [entryRecord(room, logged), ownHeadRecord(entry)]);
    const added = open.entries.add(entry, { key, via: logged.via, arrivedAt, notBefore: arrivedAt, opening });
    if (added.outcome !== "added") throw new WarrenError("storage-full");
    this.#forget(open, added.evicted);
    recordChange(open, entry);
    this.#run(open, open.sync.wrote(logged));
    return stored;
  }

  /** What our next entry follows: the last one that we know of, also from before the room was forgotten here. */
  #ownHeadOf({ entries, ownHead }: Pick<OpenLog, "entries" | "ownHead">): OwnHead | null {
    const last = entries.last(this.#deps.identity.clientId)?.entry ?? null;
    return last !== null && last.n >= (ownHead?.n ?? 0) ? last : ownHead;
  }

  /**
   * Whether whoever comes is given an entry of ours: nobody is here and we have met nobody in the room, or it changes one that
   * they are given.
   */
  #isOpening({ members, entries, room }: OpenLog, { author, kind, about }: Entry): boolean {
    if (kind !== "text" && about !== undefined)
      return about.client === author && entries.openingsOf(author).includes(entryNumberOf(about.id) ?? 0);
    // Who has no log gets what is said as well, and is no member.
    const isToldNow = (peer: ClientId) => !this.#isBarred(room, peer);
    return members.list().length === 0 && !this.#deps.room.readyPeers().some(isToldNow);
  }

  /** With the author and the key that its own sender leaves out. */
  #pageOf(from: ClientId, { author = from, key, ...page }: Omit<PeerMessageOf<"entries">, "id">): EntryPage {
    const proven = author === from ? this.#deps.room.peer(from)?.proof?.publicKey : undefined;
    return { ...page, author, key: key ?? (proven && encodeBase64url(proven)) };
  }

  /** The entries of a page that are new, and are their author's. */
  async #checked(
    open: OpenLog,
    from: ClientId,
    { author, key, entries }: EntryPage,
  ): Promise<readonly Entry[]> {
    const read = entries.map((wire: LogEntry) => readEntry(open.tag, author, wire));
    const unknown = read.filter(
      ({ entry: { n, hash } }) => !open.entries.at(author, n).some(({ entry }) => entry.hash === hash),
    );
    const faults = await Promise.all(unknown.map((one) => faultOfEntry(one, key ?? "", this.#keys)));
    for (const fault of faults)
      if (fault !== null) this.#deps.room.reportViolation(from, `an entry of another ${fault}`);
    return unknown.flatMap(({ entry }, index) => (faults[index] === null ? entry : []));
  }

  #add(open: OpenLog, from: ClientId, entry: Entry, key: string, isAnswer: boolean): Added {
    const { messages, clock } = this.#deps;
    // What its author sends unasked was written just now, whatever it says.
    const isLive = !isAnswer && from === entry.author;
    const now = isLive ? messages.nextSortedAt() : clock.now();
    const notBefore = isLive ? now : open.sync.upToDateAt(entry.author);
    return open.entries.add(entry, { key, via: from, arrivedAt: now, notBefore });
  }

  /** Stores an entry and what is shown of it, together. @returns whether it is kept; resolves once it is stored. */
  async #storeReceived(open: OpenLog, { logged, evicted }: AddedEntry, from: ClientId): Promise<boolean> {
    const { messages, identity, log } = this.#deps;
    const { author, name, n, hash } = logged.entry;
    this.#forget(open, evicted);
    if (author !== identity.clientId && messages.contacts.get(author) === undefined)
      messages.contacts.remember({ clientId: author, name, proven: true });
    // Whoever invents authors uses up its own space.
    const isOfAnother = author !== identity.clientId && !open.members.isMet(author);
    const versions = open.entries.at(author, n);
    const isEarlier = author !== identity.clientId && open.sync.isEarlier(from, logged.entry);
    const head = {
      ...this.#headOf(open.room, logged),
      ...(isOfAnother && { countedFor: from }),
      ...(isEarlier && { earlierBy: from }),
    };
    const offer = offerOfEntry(logged.entry, identity.clientId);
    if (versions.length > 1) this.#markForked(versions);
    if (author === identity.clientId) this.#saveOwnHead(open);
    const holdUps = open.unstored;
    holdUps.set(author, (holdUps.get(author) ?? 0) + 1);
    try {
      // Kinds that only later versions know are passed on and not shown.
      if (logged.entry.kind !== "text" && offer === null) {
        recordChange(open, logged.entry);
        if (isPaced(logged.entry) && !this.#deps.takesChange(author)) {
          const waiting = { ...logged, waits: true as const };
          open.changes.defer(waiting);
          this.#startTicking();
          messages.write({ put: [entryRecord(open.room, waiting)] });
        } else await this.#applyChange(open, logged.entry, [entryRecord(open.room, logged)]);
      } else {
        if (offer === null)
          await this.#show(open, { ...head, ...textOf(logged, versions.length > 1) }, logged);
        else await this.#showFile(open, offer, head, logged);
        if (open.room === this.#room) this.#deps.hasWritten(author);
        for (const change of open.changes.latestFor(head.key)) await this.#applyChange(open, change);
      }
      return true;
    } catch (thrown) {
      open.entries.remove(logged);
      const error = toWarrenError(thrown);
      log.debug("an entry was not stored", { code: error.code });
      this.#send(from, errorAnswer(entryMessageId(n, hash), error));
      return false;
    } finally {
      const left = (holdUps.get(author) ?? 1) - 1;
      if (left > 0) holdUps.set(author, left);
      else holdUps.delete(author);
    }
  }

  async #applyChange({ room }: OpenLog, entry: Entry, put: readonly StoredRecord[] = []): Promise<void> {
    try {
      await this.#deps.receiveChange(room, entry, put);
    } catch (thrown) {
      // It is passed on all the same.
      this.#deps.messages.write({ put: [...put] });
      this.#deps.log.debug("a change was not applied", { code: toWarrenError(thrown).code });
    }
  }

  /** Marks the messages of all versions of an entry. */
  #markForked(versions: readonly LoggedEntry[]): void {
    for (const { entry } of versions) {
      this.#deps.messages.update(keyOf(entry), (message) =>
        message.type === "text" ? { ...message, doubt: "forked" } : message,
      );
    }
  }

  async #show({ room, entries, changes }: OpenLog, message: TextMessage, logged: LoggedEntry): Promise<void> {
    const { messages, identity } = this.#deps;
    const isMine = message.client === identity.clientId;
    const shown = changes.about(message.key).reduce<ChatMessage>((before, entry) => {
      const change = changeOfEntry(entry);
      return change === null ? before : withChange(before, entry.author, change);
    }, message);
    if (!(await messages.add(shown, { read: isMine, with: [entryRecord(room, logged)] }))) {
      // It came before as it is sent to those without a log, and may have been changed since.
      const known = await messages.lookUp(message.key);
      const isDeleted = known?.type === "text" && known.deleted === true;
      if (isDeleted) entries.erase(logged.entry);
      messages.write({
        put: [isDeleted ? erasedRecord(room, logged.entry, logged.shownAt) : entryRecord(room, logged)],
      });
      const { data, entry, quote, doubt } = message;
      messages.update(message.key, (before) => {
        if (before.type !== "text" || before.deleted) return before;
        return { ...before, entry, quote, doubt, ...(before.edited === undefined && { data }) };
      });
    }
    await messages.stored(message.key);
  }

  async #showFile(
    { room }: OpenLog,
    offer: PeerMessageOf<"send-file">,
    head: MessageHead,
    logged: LoggedEntry,
  ): Promise<void> {
    const { messages, receiveFile, log } = this.#deps;
    try {
      await receiveFile(offer, head);
    } catch (thrown) {
      const { code } = toWarrenError(thrown);
      // It is passed on all the same.
      if (!unshownOffers.has(code)) throw thrown;
      log.debug("an offer was not shown", { code });
    }
    messages.write({ put: [entryRecord(room, logged)] });
    // It came before as it is sent to those without a log.
    messages.update(head.key, (before) =>
      before.entry === undefined && before.type === "file"
        ? { ...before, entry: head.entry, ...(offer.root && { root: offer.root }) }
        : before,
    );
    await messages.stored(head.key);
  }

  /** What the message that shows an entry has in common with others. */
  #headOf(
    room: RoomTag,
    { entry, shownAt }: LoggedEntry,
  ): MessageHead & Required<Pick<MessageHead, "entry">> {
    const { messages, clock } = this.#deps;
    return {
      ...{ id: entryMessageId(entry.n, entry.hash), key: keyOf(entry), entry: entry.n },
      // We may have gone to another room meanwhile.
      ...{ client: entry.author, conversation: messages.presentIdOf(room), deliveries: {} },
      ...{ createdAt: Math.min(entry.time, clock.now()), sortedAt: shownAt },
    };
  }

  #forget(open: OpenLog, evicted: readonly LoggedEntry[]): void {
    if (evicted.length === 0) return;
    const { room, entries, changes } = open;
    for (const { entry } of evicted) changes.forget(entry);
    const authors = [...new Set(evicted.map(({ entry }) => entry.author))];
    const left = new Set(entries.authors());
    this.#showOwnFloor(open);
    this.#deps.messages.write({
      put: authors.filter((author) => left.has(author)).map((author) => floorOf(room, entries, author)),
      delete: [
        ...evicted.map(({ entry }) => entryKeyOf(room, entry)),
        ...authors.filter((author) => !left.has(author)).map((author) => floorKeyOf(room, author)),
      ],
    });
  }

  #saveGone({ room, entries }: OpenLog): void {
    const put = entries.takeChangedGone().map((author) => floorOf(room, entries, author));
    if (put.length > 0) this.#deps.messages.write({ put });
  }

  #showMembers({ room, members }: OpenLog): void {
    const here = members.list().filter(({ client }) => !this.#isBarred(room, client));
    this.#deps.members.setState(metMembers(here), true);
  }

  #showOwnFloor({ room, entries }: OpenLog): void {
    const { identity, ownFloor } = this.#deps;
    if (room === this.#room) ownFloor.setState(entries.floorOf(identity.clientId), true);
  }

  /** In turn with what we write, so that no earlier head replaces a later one. */
  #saveOwnHead(open: OpenLog): void {
    void this.#writes.run(async () => {
      const head = this.#ownHeadOf(open);
      if (head !== null) this.#deps.messages.write({ put: [ownHeadRecord({ tag: open.tag, ...head })] });
    });
  }

  #saveMembers(open: OpenLog): void {
    const { room, members } = open;
    const { put, gone } = members.takeChanges();
    if (room === this.#room && put.length + gone.length > 0) this.#showMembers(open);
    this.#deps.messages.write({
      put: put.map((member) => memberRecord(room, member)),
      delete: gone.map((client) => memberKeyOf(room, client)),
    });
  }

  /** Marks what a client says it has as received. */
  #markReceived(open: OpenLog, peer: ClientId): void {
    const { identity, messages, outbox } = this.#deps;
    const head = open.sync.headOf(peer, identity.clientId);
    if (head === undefined) return;
    const { entries, members } = open;
    const firstGiven =
      entries.firstSince(identity.clientId, members.givenSince(peer)) ?? Number.POSITIVE_INFINITY;
    const openings = new Set(entries.openingsOf(identity.clientId));
    for (const message of messages.conversation(messages.presentIdOf(open.room)).messages) {
      if (message.entry === undefined || message.client !== identity.clientId) continue;
      if (message.entry < head.whole || message.entry > head.n) continue;
      const delivery = message.deliveries[peer];
      if (isPending(delivery)) outbox.acknowledge(message.key, peer);
      if (delivery !== undefined) continue;
      // Anybody can say that it has what was said before it came, and would get the file, or later edits, by that.
      if (message.entry < firstGiven && !openings.has(message.entry)) continue;
      // It was away when this was written.
      messages.update(message.key, (known) =>
        known.type === "file"
          ? withRecipient(known, peer)
          : { ...known, deliveries: { ...known.deliveries, [peer]: { status: "received" } } },
      );
      if (message.type === "file") this.#deps.recipientAdded(message.key, peer);
    }
  }

  #run(open: OpenLog, effects: readonly SyncEffect[]): void {
    // Who moved on with us would take it for what is said in the other room.
    if (open.room !== this.#room || this.#isClosed) return;
    for (const { to, ...message } of effects) {
      if (message.type === "entries") void this.#sendEntries(open, to, message);
      else if (message.type === "stored")
        this.#send(to, { type: "check-message", id: entryMessageId(message.n, message.hash) });
      else this.#send(to, message);
    }
  }

  async #sendEntries(
    open: OpenLog,
    to: ClientId,
    { hash, author, key, ...page }: Omit<SyncEffect & { readonly type: "entries" }, "to">,
  ): Promise<void> {
    const { identity, room } = this.#deps;
    const isKnown = author === identity.clientId && room.peer(to)?.profile?.ownEntries === true;
    const sending = room.sendInTurn(to, isKnown ? page : { ...page, author, key });
    if (hash !== undefined) this.#leaving.set(leavingKey(to, hash), sending);
    // One that is not sent because the connection has ended is asked for on the next.
    await sending.catch(() => {});
    if (hash !== undefined) this.#leaving.delete(leavingKey(to, hash));
    if (page.id !== undefined) open.sync.answered(to);
  }

  #send(to: ClientId, message: OutgoingMessage): void {
    try {
      this.#deps.room.send(to, message);
    } catch (thrown) {
      this.#deps.log.debug("a message about the log was not sent", { code: toWarrenError(thrown).code });
    }
  }
}

function floorOf(room: RoomTag, entries: RoomLog, author: ClientId) {
  return floorRecord(room, {
    author,
    floor: entries.floorOf(author),
    gone: entries.goneOf(author),
  });
}

/** The last numbers up to this one, as many as a log holds of an author. */
function numbersUpTo(n: number): number[] {
  return Array.from({ length: Math.min(n, logCaps.authorEntries) }, (_, at) => n - at);
}

/** The text that an entry is. */
function textOf(
  { entry }: LoggedEntry,
  isForked: boolean,
): Pick<TextMessage, "type" | "data" | "quote" | "doubt"> {
  const { body, about } = entry;
  return {
    type: "text",
    data: body,
    ...(about && { quote: messageKeyOf(about.client, about.id) }),
    ...(isForked && { doubt: "forked" }),
  };
}

/** The key of the message that shows an entry. */
function keyOf({ author, n, hash }: Pick<Entry, "author" | "n" | "hash">): MessageKey {
  return messageKeyOf(author, entryMessageId(n, hash));
}

function recordChange({ changes, entries }: OpenLog, entry: Entry): void {
  changes.add(entry);
  // Nobody may have them any more.
  if (entry.kind === "delete" && entry.about?.client === entry.author)
    for (const n of deletedNumbers(entry)) entries.markGone(entry.author, { from: n, to: n });
}

function isEqual(one: MissingEntries, other: MissingEntries): boolean {
  const authors = Object.keys(one);
  return (
    authors.length === Object.keys(other).length && authors.every((author) => one[author] === other[author])
  );
}

function leavingKey(peer: ClientId, hash: string): string {
  return `${peer}/${hash}`;
}
