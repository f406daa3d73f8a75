import {
  type ClientId,
  type LogEntry,
  limits,
  type MessageId,
  type PeerMessageOf,
  type RoomTag,
  toWarrenError,
  utf8Length,
  WarrenError,
} from "@warren/protocol";
import { encodeBase64url } from "../handshake/crypto/encoding.ts";
import type { Identity } from "../handshake/identity.ts";
import type { ChatRoom } from "../messages/chat-deps.ts";
import { type Delivery, everyone, messageKeyOf, type TextMessage } from "../messages/message.ts";
import type { MessageLog } from "../messages/message-log.ts";
import type { Outbox } from "../messages/outbox.ts";
import { entryKeyOf, entryRecord, floorRecord, memberRecord, readLog } from "../messages/stored-log.ts";
import type { CancelTimer, Clock } from "../ports/clock.ts";
import type { RecordStorage } from "../ports/record-storage.ts";
import { type Entry, faultOfEntry, readEntry, wireBytes, writeEntry } from "../room-log/entry.ts";
import { Members } from "../room-log/members.ts";
import { type Added, RoomLog } from "../room-log/room-log.ts";
import { type EntryPage, Sync, type SyncEffect } from "../room-log/sync.ts";
import type { LoggedEntry } from "../room-log/timeline.ts";
import { randomUuid } from "../shared/ids.ts";
import type { Log } from "../shared/log.ts";

const tickMs = 1_000;
/** Beside the entry, a frame holds its envelope. */
const envelopeBytes = 4_096;

interface LogExchangeDeps {
  readonly identity: Identity;
  readonly ownName: () => string;
  readonly room: ChatRoom;
  readonly messages: MessageLog;
  readonly outbox: Pick<Outbox, "acknowledge">;
  readonly storage: RecordStorage;
  /** Whether a client reads and writes logs. */
  readonly readsLog: (peer: ClientId) => boolean;
  readonly isBlocked: (clientId: ClientId) => boolean;
  readonly clock: Clock;
  readonly log: Log;
}

/** The log of one room, loaded. */
interface OpenLog {
  readonly room: RoomTag;
  readonly entries: RoomLog;
  readonly members: Members;
  readonly sync: Sync;
  readonly met: Set<ClientId>;
  /** Authors whose messages are not stored any more: they have used all the space they get. */
  readonly full: Set<ClientId>;
}

/**
 * The log of the room we are in: writes what we say to everyone, gives others what they may have, and shows what arrives. What
 * is asked of whom is decided in `room-log/sync.ts`; this sends, verifies and stores. All of it happens in one order, so that
 * an entry is in the log before the next message about it is read.
 */
export class LogExchange {
  readonly #deps: LogExchangeDeps;
  #room: RoomTag;
  #open: Promise<OpenLog> | null = null;
  /** The last step; each begins when the one before has ended. */
  #last: Promise<unknown> = Promise.resolve();
  #stopTicking: CancelTimer | null = null;

  constructor(deps: LogExchangeDeps) {
    this.#deps = deps;
    this.#room = deps.messages.store.getState().room;
  }

  /** We are in this room from now on. */
  enterRoom(room: RoomTag): void {
    if (room === this.#room) return;
    this.#room = room;
    this.#open = null;
    this.#stopTicking?.();
    this.#stopTicking = null;
  }

  /** What was kept of a room has been deleted. */
  forgetRoom(room: RoomTag): void {
    if (room === this.#room) this.#open = null;
  }

  /**
   * Writes a text to everyone. Resolves with the message once it is shown and durable; null if we left the room meanwhile.
   * @throws WarrenError `frame-too-large` or `storage-failed`.
   */
  async write(text: string, recipients: readonly ClientId[]): Promise<TextMessage | null> {
    let message: TextMessage | null = null;
    await this.#inTurn(async (open) => {
      const { identity, messages, clock } = this.#deps;
      const content = { time: clock.now(), name: this.#deps.ownName(), kind: "text", body: text };
      if (wireBytes(content) + envelopeBytes > limits.peerFrameBytes)
        throw new WarrenError("frame-too-large", {
          sizeBytes: utf8Length(JSON.stringify(text)),
          limitBytes: limits.textBytes,
        });
      const before = open.entries.last(identity.clientId)?.entry ?? null;
      const entry = await writeEntry(identity, open.room, before, content);
      const arrivedAt = messages.nextSortedAt();
      const key = encodeBase64url(identity.publicKey);
      const arrival = { key, via: identity.clientId, arrivedAt, notBefore: arrivedAt };
      const added = open.entries.add(entry, arrival);
      if (added.outcome !== "added") throw new WarrenError("storage-full");
      const sending = recipients.map((peer): [ClientId, Delivery] => [peer, { status: "sending" }]);
      message = await this.#store(open, added, Object.fromEntries(sending));
      this.#run(open, open.sync.wrote(added.logged));
    });
    return message;
  }

  /** A client can be sent messages. */
  peerReady(peer: ClientId): Promise<void> {
    return this.#inTurn(async (open) => {
      if (open.met.has(peer) || !this.#deps.readsLog(peer)) return;
      open.met.add(peer);
      open.members.meet(peer, this.#deps.clock.now());
      this.#saveMembers(open);
      this.#run(open, open.sync.met(peer));
      this.#stopTicking ??= this.#deps.clock.every(tickMs, () => this.#tick());
    });
  }

  peerLost(peer: ClientId): Promise<void> {
    return this.#inTurn(async (open) => {
      if (!open.met.delete(peer)) return;
      open.members.meet(peer, this.#deps.clock.now());
      this.#saveMembers(open);
      this.#run(open, open.sync.left(peer));
      if (open.met.size > 0) return;
      this.#stopTicking?.();
      this.#stopTicking = null;
    });
  }

  receiveHeads(from: ClientId, { heads, members }: PeerMessageOf<"heads">): Promise<void> {
    return this.#inTurn(async (open) => {
      if (!open.met.has(from)) return;
      this.#run(open, open.sync.heads(from, heads, members));
      if (members.length > 0) this.#saveMembers(open);
      this.#noteReceipts(open, from);
    });
  }

  receiveRequest(
    from: ClientId,
    { id, author, from: first, until }: PeerMessageOf<"request-entries">,
  ): Promise<void> {
    return this.#inTurn(async (open) => {
      this.#run(open, open.sync.requested(from, id, author, { from: first, to: until }));
    });
  }

  receiveEntries(from: ClientId, { id, ...page }: PeerMessageOf<"entries">): Promise<void> {
    return this.#inTurn(async (open) => {
      if (!open.met.has(from) || this.#isBarred(open, page.author)) return;
      const isAnswer = open.sync.isRequest(id);
      const checked = await this.#checked(open, from, page);
      const added = checked.map((entry) => this.#add(open, from, entry, page.key ?? "", isAnswer));
      const news = added.filter((result) => result.outcome === "added");
      await Promise.all(news.map((result) => this.#store(open, result, {})));
      this.#run(open, open.sync.received(from, id, page, news.length));
    });
  }

  /** Resolves once everything begun has been stored. */
  async close(): Promise<void> {
    this.#stopTicking?.();
    await this.#last;
  }

  #tick(): void {
    void this.#inTurn(async (open) => this.#run(open, open.sync.tick())).catch(() => {});
  }

  /** Does one step with the log of the room, after those before; does nothing if we have gone to another room meanwhile. */
  #inTurn(step: (open: OpenLog) => Promise<void>): Promise<void> {
    const room = this.#room;
    const result = this.#last.then(async () => {
      if (room !== this.#room) return;
      this.#open ??= this.#load(room);
      const open = await this.#open.catch((thrown: unknown) => {
        this.#open = null;
        throw thrown;
      });
      await step(open);
    });
    this.#last = result.catch(() => {});
    return result;
  }

  async #load(room: RoomTag): Promise<OpenLog> {
    const { identity, storage, clock, messages } = this.#deps;
    await messages.whenLoaded;
    const stored = await readLog(storage, room);
    const members = new Members(stored.members);
    const isMet = (author: ClientId) => author === identity.clientId || members.isMet(author);
    const entries = new RoomLog(room, isMet);
    for (const logged of stored.entries) entries.restore(logged);
    for (const { author, floor } of stored.floors) entries.keepFrom(author, floor);
    const full = new Set<ClientId>();
    const sync = new Sync({
      ...{ selfId: identity.clientId, log: entries, members, clock },
      isBarred: (author) => full.has(author) || this.#deps.isBlocked(author),
      newId: randomUuid,
    });
    return { room, entries, members, sync, met: new Set(), full };
  }

  #isBarred({ full }: OpenLog, author: ClientId): boolean {
    return full.has(author) || this.#deps.isBlocked(author);
  }

  /** The entries of a page that are new, and are their author's. */
  async #checked(
    open: OpenLog,
    from: ClientId,
    { author, key, entries }: EntryPage,
  ): Promise<readonly Entry[]> {
    const read = entries.map((wire: LogEntry) => readEntry(open.room, author, wire));
    const unknown = read.filter(
      ({ n, hash }) => !open.entries.at(author, n).some(({ entry }) => entry.hash === hash),
    );
    const faults = await Promise.all(unknown.map((entry) => faultOfEntry(entry, key ?? "")));
    for (const fault of faults)
      if (fault !== null) this.#deps.room.reportViolation(from, `an entry of another ${fault}`);
    return unknown.filter((_, index) => faults[index] === null);
  }

  #add(open: OpenLog, from: ClientId, entry: Entry, key: string, isAnswer: boolean): Added {
    const { messages, clock } = this.#deps;
    // What its author sends unasked was written just now, whatever it says.
    const isLive = !isAnswer && from === entry.author;
    const now = isLive ? messages.nextSortedAt() : clock.now();
    const notBefore = isLive ? now : open.sync.upToDateAt(entry.author);
    return open.entries.add(entry, { key, via: from, arrivedAt: now, notBefore });
  }

  /** Stores an entry and what is shown of it, together. */
  async #store(
    open: OpenLog,
    { logged, evicted }: Added & { readonly outcome: "added" },
    deliveries: TextMessage["deliveries"],
  ): Promise<TextMessage | null> {
    const { messages, identity, clock } = this.#deps;
    const { entry, shownAt } = logged;
    const { author } = entry;
    this.#forget(open, evicted);
    const record = entryRecord(logged);
    const isMine = author === identity.clientId;
    if (!isMine && messages.contacts.get(author) === undefined)
      messages.contacts.remember({ clientId: author, name: entry.name, proven: true });
    // Kinds that only later versions know are passed on and not shown.
    if (entry.kind !== "text") {
      messages.write({ put: [record] });
      return null;
    }
    const message: TextMessage = {
      ...{
        type: "text",
        data: entry.body,
        entry: entry.n,
        client: author,
        conversation: everyone,
        deliveries,
      },
      ...messageIdOf(entry),
      createdAt: Math.min(entry.time, clock.now()),
      sortedAt: shownAt,
    };
    try {
      const isNew = await messages.add(message, { read: isMine, with: [record] });
      if (!isNew) messages.write({ put: [record] });
      await messages.stored(message.key);
    } catch (thrown) {
      if (isMine || toWarrenError(thrown).code !== "history-full") throw thrown;
      open.full.add(author);
    }
    return message;
  }

  #forget(open: OpenLog, evicted: readonly LoggedEntry[]): void {
    if (evicted.length === 0) return;
    const authors = new Set(evicted.map(({ entry }) => entry.author));
    this.#deps.messages.write({
      put: [...authors].map((author) => floorRecord(open.room, author, open.entries.floorOf(author))),
      delete: evicted.map(({ entry }) => entryKeyOf(entry)),
    });
  }

  #saveMembers({ room, members }: OpenLog): void {
    this.#deps.messages.write({ put: members.list().map((member) => memberRecord(room, member)) });
  }

  /** Marks what a client says it has as received. */
  #noteReceipts(open: OpenLog, peer: ClientId): void {
    const { identity, messages, outbox } = this.#deps;
    const head = open.sync.headOf(peer, identity.clientId);
    if (head === undefined || head.count < head.n - head.from + 1) return;
    for (const message of messages.conversation(everyone).messages) {
      if (message.type !== "text" || message.entry === undefined || message.client !== identity.clientId)
        continue;
      const isThere = message.entry >= head.from && message.entry <= head.n;
      if (isThere && message.deliveries[peer]?.status === "sending") outbox.acknowledge(message.key, peer);
    }
  }

  #run(open: OpenLog, effects: readonly SyncEffect[]): void {
    const { room } = this.#deps;
    for (const { to, ...message } of effects) {
      if (message.type === "entries") {
        // One that is not sent because the connection has ended is asked for on the next.
        const sending = room.sendInTurn(to, message).catch(() => {});
        if (message.id !== undefined) void sending.then(() => open.sync.answered(to));
        continue;
      }
      try {
        room.send(to, message);
      } catch (thrown) {
        this.#deps.log.debug("a message about the log was not sent", { code: toWarrenError(thrown).code });
      }
    }
  }
}

/** The id and key of the message that shows an entry: the same for everybody, and in the order of an author's entries. */
function messageIdOf({ author, n, hash }: Entry): {
  readonly id: MessageId;
  readonly key: TextMessage["key"];
} {
  const id = `${String(n).padStart(10, "0")}-${hash}`;
  return { id, key: messageKeyOf(author, id) };
}
