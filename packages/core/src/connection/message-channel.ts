import {
  type ClientId,
  decodePeerMessage,
  encodePeerMessage,
  type MessageId,
  type PeerMessage,
  WarrenError,
} from "@warren/protocol";
import type { Clock } from "../ports/clock.ts";
import { Emitter, type EventSource } from "../shared/emitter.ts";
import { randomUuid } from "../shared/ids.ts";
import { type InboundBudget, InboundGate } from "./inbound-gate.ts";

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
  /** The peer broke the protocol; its message was dropped. */
  violation: [issue: string];
  /** The peer closed the channel, or it failed. */
  closed: [];
};

/** The data channel for messages; checks every incoming frame. */
export class MessageChannel {
  readonly #channel: RTCDataChannel;
  readonly #selfId: ClientId;
  readonly #peerId: ClientId;
  readonly #events = new Emitter<MessageChannelEvents>();
  readonly events: EventSource<MessageChannelEvents> = this.#events;
  readonly #listening = new AbortController();
  readonly #gate: InboundGate;
  readonly #clock: Clock;

  constructor(
    channel: RTCDataChannel,
    parties: { readonly selfId: ClientId; readonly peerId: ClientId },
    clock: Clock,
    budget: InboundBudget,
  ) {
    this.#channel = channel;
    this.#selfId = parties.selfId;
    this.#peerId = parties.peerId;
    this.#clock = clock;
    this.#gate = new InboundGate(clock, budget, (frame) => this.#receive(frame));
    const listening = { signal: this.#listening.signal };
    channel.addEventListener("open", () => this.#events.emit("open"), listening);
    channel.addEventListener("close", () => this.#closed(), listening);
    channel.addEventListener(
      "message",
      (event) => {
        const dropped = this.#gate.push(event.data);
        if (dropped !== null) this.#events.emit("violation", dropped);
      },
      listening,
    );
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
    this.#gate.close();
    this.#channel.close();
  }

  #receive(frame: string): void {
    const decoded = decodePeerMessage(frame);
    if (!decoded.ok) this.#events.emit("violation", decoded.error.code);
    else if (decoded.value.client !== this.#peerId) this.#events.emit("violation", "forged client");
    else if (decoded.value.target !== this.#selfId) this.#events.emit("violation", "forged target");
    else this.#events.emit("message", decoded.value);
  }

  #closed(): void {
    this.#listening.abort();
    this.#gate.close();
    this.#events.emit("closed");
  }
}
