import {
  type ClientId,
  type ErrorDescription,
  limits,
  toWarrenError,
  utf8Length,
  WarrenError,
} from "@warren/protocol";
import type { Clock } from "../ports/clock.ts";
import type { OutgoingMessage } from "../session/message-channel.ts";
import { randomUuid } from "../shared/ids.ts";
import { createStore, type ReadableStore } from "../shared/store.ts";
import type { ChatRoom } from "./chat-deps.ts";
import { isRoomConversation } from "./conversation-names.ts";
import {
  type ChatMessage,
  type ConversationId,
  type Delivery,
  everyone,
  isLate,
  isPending,
  type MessageHead,
  type MessageKey,
  messageKeyOf,
  messageNameOf,
  type SentMessage,
} from "./message.ts";
import type { MessageLog } from "./message-log.ts";
import { type Outcome, RecipientQueue } from "./recipient-queue.ts";
import { isStarter } from "./starter.ts";

interface OutboxDeps {
  readonly messages: MessageLog;
  readonly clock: Clock;
  readonly selfId: ClientId;
  readonly room: ChatRoom;
  /** Resolves once a message has left as an entry of the room's log; null if a client does not get it that way. */
  readonly leavesByLog: (message: ChatMessage, peer: ClientId) => Promise<void> | null;
  /** Whether a client is told nothing of what is said to everyone in the room we are in. */
  readonly isRemoved: (peer: ClientId) => boolean;
  /** Whether what we say to everyone in a room waits there for those who are not here. */
  readonly hasRoomLog: boolean;
}

type WithoutHead<M> = M extends SentMessage ? Omit<M, keyof MessageHead> : never;
/** One of our messages before it has a position in a conversation. */
export type OwnBody = WithoutHead<SentMessage>;

/** How many of our messages in each conversation wait although a recipient is there, as it reads no faster. */
export type HeldUp = Readonly<Partial<Record<ConversationId, number>>>;

/**
 * Stores our messages before sending them, and delivers them in turn: from now on if the recipient is ready, otherwise when
 * it returns. A message that is not acknowledged in time on a live session counts as an error; once that session has ended
 * it waits like the others and is sent again, with the same id, on the next connection. The receiver shows it once.
 * What was written to everyone in a room is delivered only in that room. Conversations may be given as
 * {@link MessageLog.stableIdOf}: nothing is written to a room that we have left.
 */
export class Outbox {
  readonly heldUp: ReadableStore<HeldUp>;
  readonly #heldUp = createStore<HeldUp>({});
  readonly #deps: OutboxDeps;
  /** One for each client that is ready. */
  readonly #queues = new Map<ClientId, RecipientQueue>();

  constructor(deps: OutboxDeps) {
    this.heldUp = this.#heldUp;
    this.#deps = deps;
  }

  /**
   * The clients a conversation reaches now; none in a room with nobody there, whose log keeps what is said.
   * @throws WarrenError `no-session` for everyone outside of a room, or where there is no log and nobody there who is told.
   */
  recipients(stableId: ConversationId): readonly ClientId[] {
    const conversation = this.#present(stableId);
    if (isStarter(conversation)) throw new WarrenError("no-session", { id: conversation });
    if (conversation !== everyone) return [conversation];
    const { room, isRemoved, hasRoomLog } = this.#deps;
    const present = room.isNearby ? [] : room.readyPeers().filter((peer) => !isRemoved(peer));
    if (present.length === 0 && !(hasRoomLog && room.entered !== null))
      throw new WarrenError("no-session", { id: everyone });
    return present;
  }

  /** Whom a text goes to now. @throws WarrenError `frame-too-large`, and as {@link recipients}. */
  recipientsOfText(conversation: ConversationId, text: string): readonly ClientId[] {
    const sizeBytes = utf8Length(text);
    if (sizeBytes > limits.textBytes) {
      throw new WarrenError("frame-too-large", { sizeBytes, limitBytes: limits.textBytes });
    }
    return this.recipients(conversation);
  }

  /**
   * Stores one of our messages and sends it to the recipients that are ready.
   * @throws WarrenError `no-session` if it is for a room that we have left.
   */
  async post(stableId: ConversationId, recipients: readonly ClientId[], body: OwnBody): Promise<void> {
    const message: ChatMessage = { ...this.#head(this.#present(stableId), recipients), ...body };
    // After `await` it would leave only once the page has rendered it.
    await this.#deps.messages.add(message, { read: true, shown: () => this.deliver(message) });
  }

  /** Sends a message to each reachable recipient that has not got it. */
  deliver({ key }: ChatMessage): void {
    // We may have gone to another room while it was stored.
    const message = this.#deps.messages.find(key);
    if (message === undefined) return;
    for (const peer of Object.keys(message.deliveries))
      if (isPending(message.deliveries[peer]) && this.#deps.room.isReachable(peer))
        this.#add(peer, [message]);
  }

  /** A client is within reach: sends all that is pending for it, in the order it was written. */
  deliverAllTo(peer: ClientId): void {
    if (!this.#deps.room.isReachable(peer)) return;
    const pending = [...this.#deps.messages.all()].filter((message) => isPending(message.deliveries[peer]));
    this.#add(
      peer,
      pending.sort((a, b) => a.sortedAt - b.sortedAt),
    );
    this.#queues.get(peer)?.resume();
  }

  /** Sends a message again to every recipient it failed for. */
  retry(key: MessageKey): void {
    const message = this.#deps.messages.find(key);
    if (!message) return;
    for (const [peer, delivery] of Object.entries(message.deliveries)) {
      if (delivery.status === "error") this.#mark(key, peer, { status: "sending" });
    }
    const again = this.#deps.messages.find(key);
    if (again) this.deliver(again);
  }

  /** The recipient acknowledged it. @returns the message, or null if it is not one of ours to that recipient. */
  acknowledge(key: MessageKey, peer: ClientId): ChatMessage | null {
    return this.#settle(key, peer, { status: "received" });
  }

  /**
   * The recipient answered with an error; a message it already received stays received.
   * @returns as {@link acknowledge}.
   */
  fail(key: MessageKey, peer: ClientId, error: ErrorDescription): ChatMessage | null {
    const message = this.#deps.messages.find(key);
    if (message?.deliveries[peer]?.status === "received") return message;
    return this.#settle(key, peer, { status: "error", error });
  }

  /** A client is out of reach for now: unacknowledged messages wait until it is back, without a timeout. */
  suspendFor(peer: ClientId): void {
    for (const { key, deliveries } of this.#deps.messages.all())
      if (isLate(deliveries[peer])) this.#mark(key, peer, { status: "sending" });
    this.#queues.get(peer)?.suspend();
  }

  /** The connection to a client has ended: what it has not acknowledged is sent again on the next one. */
  endFor(peer: ClientId): void {
    this.suspendFor(peer);
    this.#queues.get(peer)?.close();
    this.#queues.delete(peer);
    this.#updateHeldUp();
  }

  close(): void {
    for (const queue of this.#queues.values()) queue.close();
    this.#queues.clear();
  }

  /** What a conversation is called at present. @throws WarrenError `no-session` for a room that we are not in. */
  #present(stableId: ConversationId): ConversationId {
    const conversation = this.#deps.messages.presentIdOf(stableId);
    if (conversation !== everyone && isRoomConversation(conversation))
      throw new WarrenError("no-session", { id: conversation });
    return conversation;
  }

  /** Whether a message may be delivered to a client where we are: one to everyone in a room only there. */
  #isFor(peer: ClientId, { conversation }: ChatMessage): boolean {
    const { room, isRemoved } = this.#deps;
    return conversation === everyone ? !room.isNearby && !isRemoved(peer) : !isRoomConversation(conversation);
  }

  #head(conversation: ConversationId, recipients: readonly ClientId[]): MessageHead {
    const { selfId, clock, messages } = this.#deps;
    const id = randomUuid();
    return {
      key: messageKeyOf(selfId, id),
      id,
      conversation,
      client: selfId,
      createdAt: clock.now(),
      sortedAt: messages.nextSortedAt(),
      deliveries: Object.fromEntries(recipients.map((peer) => [peer, { status: "sending" as const }])),
    };
  }

  #add(peer: ClientId, messages: readonly ChatMessage[]): void {
    // Earlier ones may be pending: all are sent in order once they are loaded.
    if (!this.#deps.messages.store.getState().loaded) return;
    const sent = messages.filter((message) => this.#isFor(peer, message));
    for (const { key } of sent) this.#mark(key, peer, { status: "sending" });
    this.#queueFor(peer).add(sent.map(({ key }) => key));
  }

  #queueFor(peer: ClientId): RecipientQueue {
    const known = this.#queues.get(peer);
    if (known !== undefined) return known;
    const queue = new RecipientQueue({
      clock: this.#deps.clock,
      send: (key) => this.#send(peer, key),
    });
    queue.on("late", (key) => {
      // It was deleted on its way.
      if (this.#deps.messages.find(key)?.deliveries[peer]?.status === "received") return;
      this.#mark(key, peer, { status: "error", error: new WarrenError("send-timeout").describe() });
    });
    queue.on("held-up", () => this.#updateHeldUp());
    this.#queues.set(peer, queue);
    return queue;
  }

  async #send(peer: ClientId, key: MessageKey): Promise<Outcome> {
    const pending = () => {
      const message = this.#deps.messages.find(key);
      if (message?.type === "call") return null;
      return message && this.#isFor(peer, message) && isPending(message.deliveries[peer]) ? message : null;
    };
    const message = pending();
    // It was removed, or acknowledged late, or belongs to a room that we have left, or is not for this client any more.
    if (message === null) return "settled";
    try {
      const leaving = this.#deps.leavesByLog(message, peer);
      await (leaving ?? this.#deps.room.sendInTurn(peer, toWire(message)));
    } catch (thrown) {
      const error = toWarrenError(thrown);
      // A channel that just closed means absence, not failure: the message waits.
      if (error.code !== "frame-too-large") return "disconnected";
      this.#mark(key, peer, { status: "error", error: error.describe() });
    }
    // It may have been acknowledged before we learned that it has left.
    return pending() === null ? "settled" : "left";
  }

  #updateHeldUp(): void {
    const keys = new Set([...this.#queues.values()].flatMap((queue) => [...queue.heldUp]));
    const counts: Partial<Record<ConversationId, number>> = {};
    for (const key of keys) {
      const conversation = this.#deps.messages.find(key)?.conversation;
      if (conversation !== undefined) counts[conversation] = (counts[conversation] ?? 0) + 1;
    }
    this.#heldUp.setState(counts, true);
  }

  #settle(key: MessageKey, peer: ClientId, delivery: Delivery): ChatMessage | null {
    const message = this.#deps.messages.find(key);
    if (!message || !Object.hasOwn(message.deliveries, peer)) return null;
    this.#mark(key, peer, delivery);
    this.#queues.get(peer)?.settle(key);
    return this.#deps.messages.find(key) ?? null;
  }

  #mark(key: MessageKey, peer: ClientId, delivery: Delivery): void {
    this.#deps.messages.update(key, (message) =>
      message.deliveries[peer]?.status === delivery.status && delivery.status !== "error"
        ? message
        : { ...message, deliveries: { ...message.deliveries, [peer]: delivery } },
    );
  }
}

/** A message without any session: recipients that were late get it on the next connection. */
export function waitingAgain(message: ChatMessage): ChatMessage {
  const deliveries = Object.entries(message.deliveries);
  if (!deliveries.some(([, delivery]) => isLate(delivery))) return message;
  const waiting = deliveries.map(([peer, delivery]) => [
    peer,
    isLate(delivery) ? { status: "sending" as const } : delivery,
  ]);
  return { ...message, deliveries: Object.fromEntries(waiting) };
}

function toWire(message: SentMessage): OutgoingMessage {
  const head = {
    id: message.id,
    createdAt: message.createdAt,
    ...(isRoomConversation(message.conversation) ? { scope: "room" as const } : {}),
  };
  if (message.type === "text") {
    const { data, quote } = message;
    return { ...head, type: "send-text", data, ...(quote && { quote: messageNameOf(quote) }) };
  }
  const { file, manifest, sample, thumbnail } = message;
  return { ...head, type: "send-file", ...file, manifest, sample, thumbnail };
}
