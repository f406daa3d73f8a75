import {
  type ClientId,
  decodePeerMessage,
  encodePeerMessage,
  limits,
  type MessageId,
  type PeerMessage,
  WarrenError,
} from "@warren/protocol";
import type { CancelTimer, Clock } from "../ports/clock.ts";
import { Emitter, type EventSource } from "../shared/emitter.ts";
import { randomUuid } from "../shared/ids.ts";
import type { MessageBudget } from "./message-budget.ts";

/** The most that may be queued until the peer's budget allows it. */
const queueMax = { frames: 1_000, characters: 4 * 1_024 * 1_024 } as const;
const drainEveryMs = 20;

type Envelope = "id" | "client" | "target" | "createdAt";
type WithoutEnvelope<M> = M extends PeerMessage ? Omit<M, Envelope> : never;

/** A message before its channel completes it; a reply carries the id of its request, others get a new one. */
export type OutgoingMessage = WithoutEnvelope<PeerMessage> & {
  readonly id?: MessageId;
  readonly createdAt?: number;
};

type MessageChannelEvents = {
  open: [];
  /** A valid message of the peer; its `client` and `target` match the session. */
  message: [message: PeerMessage];
  /** The peer violated the protocol; its message was dropped. */
  violation: [issue: string];
  /** The peer closed the channel, or it failed. */
  closed: [];
};

/**
 * The data channel for messages. Checks every incoming frame, and reads them no faster than the peer's budget allows:
 * faster ones are queued in order, and dropped once the queue is full.
 */
export class MessageChannel {
  readonly #channel: RTCDataChannel;
  readonly #selfId: ClientId;
  readonly #peerId: ClientId;
  readonly #events = new Emitter<MessageChannelEvents>();
  readonly events: EventSource<MessageChannelEvents> = this.#events;
  readonly #listening = new AbortController();
  readonly #clock: Clock;
  readonly #budget: MessageBudget;
  readonly #queue: string[] = [];
  #queuedCharacters = 0;
  #stopDraining: CancelTimer | null = null;

  constructor(
    channel: RTCDataChannel,
    parties: { readonly selfId: ClientId; readonly peerId: ClientId },
    clock: Clock,
    budget: MessageBudget,
  ) {
    this.#channel = channel;
    this.#selfId = parties.selfId;
    this.#peerId = parties.peerId;
    this.#clock = clock;
    this.#budget = budget;
    const listening = { signal: this.#listening.signal };
    channel.addEventListener("open", () => this.#events.emit("open"), listening);
    channel.addEventListener("close", () => this.#closed(), listening);
    channel.addEventListener("message", (event) => this.#take(event.data), listening);
  }

  get isOpen(): boolean {
    return this.#channel.readyState === "open" && !this.#listening.signal.aborted;
  }

  /**
   * Completes and sends a message. @returns it as sent. @throws WarrenError `channel-not-open` or `frame-too-large`.
   */
  send(outgoing: OutgoingMessage): PeerMessage {
    const message: PeerMessage = {
      ...outgoing,
      id: outgoing.id ?? randomUuid(),
      createdAt: outgoing.createdAt ?? this.#clock.now(),
      client: this.#selfId,
      target: this.#peerId,
    };
    const frame = encodePeerMessage(message);
    if (!this.isOpen) throw new WarrenError("channel-not-open");
    try {
      this.#channel.send(frame);
    } catch (cause) {
      // It closed, or its buffer is full; nothing was sent in either case.
      throw new WarrenError("channel-not-open", {}, { cause });
    }
    return message;
  }

  close(): void {
    this.#listening.abort();
    this.#clearQueue();
    this.#channel.close();
  }

  #take(frame: unknown): void {
    if (typeof frame !== "string") this.#violated("binary frame");
    else if (frame.length > limits.peerFrameBytes) this.#violated("frame-too-large");
    else if (this.#queue.length === 0 && this.#budget.take(frame.length)) this.#receive(frame);
    else if (
      this.#queue.length >= queueMax.frames ||
      this.#queuedCharacters + frame.length > queueMax.characters
    )
      this.#violated("flood");
    else {
      this.#queue.push(frame);
      this.#queuedCharacters += frame.length;
      this.#stopDraining ??= this.#clock.every(drainEveryMs, () => this.#drain());
    }
  }

  #drain(): void {
    for (let frame = this.#queue[0]; frame !== undefined; frame = this.#queue[0]) {
      if (!this.#budget.take(frame.length)) return;
      this.#queue.shift();
      this.#queuedCharacters -= frame.length;
      this.#receive(frame);
    }
    this.#clearQueue();
  }

  #clearQueue(): void {
    this.#queue.length = 0;
    this.#queuedCharacters = 0;
    this.#stopDraining?.();
    this.#stopDraining = null;
  }

  #receive(frame: string): void {
    const decoded = decodePeerMessage(frame);
    if (!decoded.ok) this.#violated(decoded.error.code);
    else if (decoded.value.client !== this.#peerId) this.#violated("forged client");
    else if (decoded.value.target !== this.#selfId) this.#violated("forged target");
    else this.#events.emit("message", decoded.value);
  }

  #violated(issue: string): void {
    this.#events.emit("violation", issue);
  }

  #closed(): void {
    this.#listening.abort();
    this.#clearQueue();
    this.#events.emit("closed");
  }
}
