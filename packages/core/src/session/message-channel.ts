import {
  type ClientId,
  decodePeerMessage,
  encodePeerMessage,
  limits,
  type MessageId,
  messageQueueMax,
  type PeerMessage,
  WarrenError,
} from "@warren/protocol";
import type { CancelTimer, Clock } from "../ports/clock.ts";
import { Emitting } from "../shared/emitter.ts";
import { randomUuid } from "../shared/ids.ts";
import type { ClientBudgets, MessageBudget } from "./message-budget.ts";
import { isQuestion, MessageSender } from "./message-sender.ts";

const drainEveryMs = 20;
/**
 * What is dropped counts as one violation for each of these: messages that a client sends at the documented rates may be
 * held up on the way and arrive in one moment.
 */
const flood = { frames: 250, characters: 1_024 * 1_024 } as const;

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
  /** The peer closed the channel, it failed, or the peer does not read. */
  closed: [];
};

/**
 * The data channel for messages. Checks every incoming frame, and reads them no faster than the peer's budget allows:
 * faster ones are queued in order, and dropped once the queue is full. {@link MessageSender} keeps ours below that.
 */
export class MessageChannel extends Emitting<MessageChannelEvents> {
  readonly #channel: RTCDataChannel;
  readonly #selfId: ClientId;
  readonly #peerId: ClientId;
  readonly #listening = new AbortController();
  readonly #clock: Clock;
  readonly #budget: MessageBudget;
  readonly #sender: MessageSender;
  readonly #queue: string[] = [];
  #queuedCharacters = 0;
  #dropped = { frames: 0, characters: 0 };
  #floods = 0;
  #stopDraining: CancelTimer | null = null;
  /** Whether it was open from the start, or has said that it is. */
  #isOpened: boolean;

  constructor(
    channel: RTCDataChannel,
    parties: { readonly selfId: ClientId; readonly peerId: ClientId },
    clock: Clock,
    { inbound, outbound }: ClientBudgets,
  ) {
    super();
    this.#channel = channel;
    this.#isOpened = channel.readyState === "open";
    this.#selfId = parties.selfId;
    this.#peerId = parties.peerId;
    this.#clock = clock;
    this.#budget = inbound;
    this.#sender = new MessageSender({
      channel,
      clock,
      budget: outbound,
      // Every client answers it: it names no offer.
      question: (id) => encodePeerMessage(this.#complete({ type: "check-message", id, pending: true })),
    });
    this.#sender.on("stalled", () => {
      this.#channel.close();
      this.#closed();
    });
    const listening = { signal: this.#listening.signal };
    channel.addEventListener("open", () => this.#opened(), listening);
    channel.addEventListener("close", () => this.#closed(), listening);
    // libdatachannel may tell of messages before it tells that the channel is open, and the answers must follow our proof.
    const onMessage = ({ data }: MessageEvent): void => {
      this.#opened();
      this.#take(data);
    };
    channel.addEventListener("message", onMessage, listening);
  }

  get isOpen(): boolean {
    return this.#channel.readyState === "open" && !this.#listening.signal.aborted;
  }

  /**
   * Completes a message and sends it as soon as the peer has read enough of the earlier ones. @returns it as sent.
   * @throws WarrenError `channel-not-open` or `frame-too-large`.
   */
  send(outgoing: OutgoingMessage): PeerMessage {
    const { message, frame } = this.#encode(outgoing);
    if (cannotWait(message)) this.#sender.sendNow(frame);
    else this.#sender.send(frame);
    return message;
  }

  /**
   * Completes a message, which may be large, and sends it once the peer can read it at once. Resolves with it as sent when
   * its bytes have left; rejects with `channel-not-open`, also if the channel closes before, or `frame-too-large`.
   */
  async sendInTurn(outgoing: OutgoingMessage): Promise<PeerMessage> {
    const { message, frame } = this.#encode(outgoing);
    await this.#sender.sendInTurn(frame);
    return message;
  }

  close(): void {
    this.#listening.abort();
    this.#sender.close();
    this.#clearQueue();
    this.#channel.close();
  }

  #complete(outgoing: OutgoingMessage): PeerMessage {
    return {
      ...outgoing,
      id: outgoing.id ?? randomUuid(),
      createdAt: outgoing.createdAt ?? this.#clock.now(),
      client: this.#selfId,
      target: this.#peerId,
    };
  }

  #encode(outgoing: OutgoingMessage): { readonly message: PeerMessage; readonly frame: string } {
    const message = this.#complete(outgoing);
    const frame = encodePeerMessage(message);
    if (!this.isOpen) throw new WarrenError("channel-not-open");
    return { message, frame };
  }

  #opened(): void {
    if (this.#isOpened) return;
    this.#isOpened = true;
    this.emit("open");
  }

  #take(frame: unknown): void {
    if (typeof frame !== "string") this.#violated("binary frame");
    else if (frame.length > limits.peerFrameBytes) this.#violated("frame-too-large");
    else if (this.#queue.length === 0 && this.#budget.take(frame.length)) this.#receive(frame);
    else if (
      this.#queue.length >= messageQueueMax.frames ||
      this.#queuedCharacters + frame.length > messageQueueMax.characters
    )
      this.#drop(frame);
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
    else if (!this.#sender.takeAnswer(decoded.value.id)) this.emit("message", decoded.value);
  }

  #drop({ length }: string): void {
    const { frames, characters } = this.#dropped;
    this.#dropped = { frames: frames + 1, characters: characters + length };
    const floods = Math.max(
      Math.ceil(this.#dropped.frames / flood.frames),
      Math.ceil(this.#dropped.characters / flood.characters),
    );
    if (floods === this.#floods) return;
    this.#floods = floods;
    this.#violated("flood");
  }

  #violated(issue: string): void {
    this.emit("violation", issue);
  }

  #closed(): void {
    if (this.#listening.signal.aborted) return;
    this.#listening.abort();
    this.#sender.close();
    this.#clearQueue();
    this.emit("closed");
  }
}

/**
 * The last message of a connection, which closes after it, and the answers that give the peer credit: if those waited
 * for credit of ours, both sides could wait for each other.
 */
function cannotWait({ type, id }: PeerMessage): boolean {
  return type === "end" || type === "media-refused" || (type === "error" && isQuestion(id));
}
