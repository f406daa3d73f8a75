import {
  type ClientId,
  type ErrorDescription,
  limits,
  toWarrenError,
  utf8Length,
  WarrenError,
} from "@warren/protocol";
import type { OutgoingMessage } from "../connection/message-channel.ts";
import type { CancelTimer, Clock } from "../ports/clock.ts";
import { randomUuid } from "../shared/ids.ts";
import type { ChatRoom } from "./chat-deps.ts";
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
} from "./message.ts";
import type { MessageLog } from "./message-log.ts";
import { isStarter } from "./starter.ts";

/** How long an acknowledgement may take on a live session. */
const ackTimeoutMs = 5_000;

interface OutboxDeps {
  readonly messages: MessageLog;
  readonly clock: Clock;
  readonly selfId: ClientId;
  readonly room: ChatRoom;
}

type WithoutHead<M> = M extends ChatMessage ? Omit<M, keyof MessageHead> : never;
/** One of our messages before it has a position in a conversation. */
export type OwnBody = WithoutHead<ChatMessage>;

/**
 * Stores our messages before sending them, and delivers them: at once if the recipient is ready, otherwise when it
 * returns. A message that is not acknowledged in time on a live session counts as an error; once that session has ended
 * it waits like the others and is sent again, with the same id, on the next connection. The receiver shows it once.
 */
export class Outbox {
  readonly #deps: OutboxDeps;
  readonly #ackTimers = new Map<string, CancelTimer>();

  constructor(deps: OutboxDeps) {
    this.#deps = deps;
  }

  /** The clients a conversation reaches now. @throws WarrenError `no-session` for everyone with nobody there. */
  recipients(conversation: ConversationId): readonly ClientId[] {
    if (isStarter(conversation)) throw new WarrenError("no-session", { id: conversation });
    if (conversation !== everyone) return [conversation];
    const present = this.#deps.room.readyPeers();
    if (present.length === 0) throw new WarrenError("no-session", { id: everyone });
    return present;
  }

  async sendText(conversation: ConversationId, text: string): Promise<void> {
    const sizeBytes = utf8Length(text);
    if (sizeBytes > limits.textBytes) {
      throw new WarrenError("frame-too-large", { sizeBytes, limitBytes: limits.textBytes });
    }
    await this.post(conversation, this.recipients(conversation), { type: "text", data: text });
  }

  /** Stores one of our messages and sends it to the recipients that are ready. */
  async post(conversation: ConversationId, recipients: readonly ClientId[], body: OwnBody): Promise<void> {
    const message: ChatMessage = { ...this.#head(conversation, recipients), ...body };
    await this.#deps.messages.add(message, { read: true });
    this.deliver(message);
  }

  /** Sends a message to each ready recipient that has not got it. */
  deliver(message: ChatMessage): void {
    for (const peer of Object.keys(message.deliveries)) {
      if (isPending(message.deliveries[peer]) && this.#deps.room.isReachable(peer)) this.#send(peer, message);
    }
  }

  /** Sends all pending messages to a client, in the order they were written. */
  deliverAllTo(peer: ClientId): void {
    const waiting = [...this.#deps.messages.all()].filter((message) => isPending(message.deliveries[peer]));
    waiting.sort((a, b) => a.sortedAt - b.sortedAt);
    for (const message of waiting) this.#send(peer, message);
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

  /** The session ended or is unreachable: unacknowledged messages wait until it is back, without a timeout. */
  pauseFor(peer: ClientId): void {
    for (const { key, deliveries } of this.#deps.messages.all()) {
      if (isLate(deliveries[peer])) this.#mark(key, peer, { status: "sending" });
    }
    for (const [timerKey, cancel] of this.#ackTimers) {
      if (!timerKey.endsWith(`>${peer}`)) continue;
      cancel();
      this.#ackTimers.delete(timerKey);
    }
  }

  close(): void {
    for (const cancel of this.#ackTimers.values()) cancel();
    this.#ackTimers.clear();
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

  #send(peer: ClientId, message: ChatMessage): void {
    // Earlier ones may be pending: all are sent in order once they are loaded.
    if (!this.#deps.messages.store.getState().loaded) return;
    this.#mark(message.key, peer, { status: "sending" });
    try {
      this.#deps.room.send(peer, toWire(message));
    } catch (thrown) {
      const error = toWarrenError(thrown);
      // A channel that just closed means absence, not failure: the message waits.
      if (error.code === "frame-too-large")
        this.#mark(message.key, peer, { status: "error", error: error.describe() });
      return;
    }
    const timerKey = `${message.key}>${peer}`;
    this.#ackTimers.get(timerKey)?.();
    this.#ackTimers.set(
      timerKey,
      this.#deps.clock.after(ackTimeoutMs, () => {
        this.#ackTimers.delete(timerKey);
        const error = new WarrenError("send-timeout").describe();
        this.#mark(message.key, peer, { status: "error", error });
      }),
    );
  }

  #settle(key: MessageKey, peer: ClientId, delivery: Delivery): ChatMessage | null {
    const message = this.#deps.messages.find(key);
    if (!message || !Object.hasOwn(message.deliveries, peer)) return null;
    this.#ackTimers.get(`${key}>${peer}`)?.();
    this.#ackTimers.delete(`${key}>${peer}`);
    this.#mark(key, peer, delivery);
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

function toWire(message: ChatMessage): OutgoingMessage {
  const head = {
    id: message.id,
    createdAt: message.createdAt,
    ...(message.conversation === everyone ? { scope: "room" as const } : {}),
  };
  if (message.type === "text") return { ...head, type: "send-text", data: message.data };
  const { file, manifest, sample, thumbnail } = message;
  return { ...head, type: "send-file", ...file, manifest, sample, thumbnail };
}
