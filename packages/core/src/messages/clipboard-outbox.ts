import {
  type ClientId,
  type ErrorDescription,
  type MessageId,
  toWarrenError,
  WarrenError,
} from "@warren/protocol";
import type { Clock } from "../ports/clock.ts";
import { Countdown } from "../shared/countdown.ts";
import { randomUuid } from "../shared/ids.ts";
import type { ChatRoom } from "./chat-deps.ts";
import { type ConversationId, everyone } from "./message.ts";
import type { MessageLog } from "./message-log.ts";
import { ackTimeoutMs } from "./recipient-queue.ts";

/** How long a recipient may be out of reach: after that, a text in its clipboard would come as a surprise. */
const awayMaxMs = 30_000;

interface ClipboardOutboxDeps {
  readonly messages: MessageLog;
  readonly room: ChatRoom;
  readonly clock: Clock;
}

/** A text on its way to one client. */
interface Sending {
  readonly id: MessageId;
  readonly stableId: ConversationId;
  readonly data: string;
  /** Until it is given up, while nothing else is awaited. */
  readonly limit: Countdown;
  /** Whether it waits for its turn. */
  isLeaving: boolean;
  readonly resolve: () => void;
  readonly reject: (error: WarrenError) => void;
}

/**
 * Our texts for the clipboards of others. None is stored: each lives until its recipient acknowledges it, over the next
 * connection if one breaks meanwhile, or until it is said to have failed.
 */
export class ClipboardOutbox {
  readonly #deps: ClipboardOutboxDeps;
  readonly #sending = new Map<ClientId, Set<Sending>>();

  constructor(deps: ClipboardOutboxDeps) {
    this.#deps = deps;
  }

  /**
   * Sends a text to a client that is there. Resolves once that has it.
   * @param stableId the conversation as {@link MessageLog.stableIdOf}
   * @throws WarrenError `no-session`, `frame-too-large`, `send-timeout`, `peer-offline`, or what the client answers.
   */
  async send(peer: ClientId, stableId: ConversationId, data: string): Promise<void> {
    const { room, clock } = this.#deps;
    if (!room.isReady(peer)) throw new WarrenError("no-session", { id: peer });
    await new Promise<void>((resolve, reject) => {
      const head = { id: randomUuid(), stableId, data };
      const sending = { ...head, limit: new Countdown(clock), isLeaving: false, resolve, reject };
      const ofPeer = this.#sending.get(peer) ?? new Set();
      this.#sending.set(peer, ofPeer.add(sending));
      void this.#deliver(peer, sending);
    });
  }

  /** A client is within reach: sends it what it has not acknowledged. */
  deliverAllTo(peer: ClientId): void {
    for (const sending of this.#of(peer)) if (!sending.isLeaving) void this.#deliver(peer, sending);
  }

  /** A client is out of reach for now. */
  suspendFor(peer: ClientId): void {
    for (const sending of this.#of(peer)) this.#awaitReturn(peer, sending);
  }

  /** A client answered a message of ours. @param error why it refuses it @returns whether that was a text for its clipboard. */
  settle(peer: ClientId, id: MessageId, error: ErrorDescription | null = null): boolean {
    const sending = this.#of(peer).find((each) => each.id === id);
    if (sending === undefined) return false;
    this.#end(peer, sending, error && new WarrenError(error.code, error.values));
    return true;
  }

  close(): void {
    for (const peer of this.#sending.keys())
      for (const sending of this.#of(peer))
        this.#end(peer, sending, new WarrenError("no-session", { id: peer }));
  }

  async #deliver(peer: ClientId, sending: Sending): Promise<void> {
    const { room } = this.#deps;
    const { id, data, limit } = sending;
    const conversation = this.#deps.messages.presentIdOf(sending.stableId);
    const isForRoom = conversation !== peer;
    // What was meant for everyone in one room is not for that of the next.
    if (isForRoom && (conversation !== everyone || room.isNearby))
      return this.#end(peer, sending, new WarrenError("no-session", { id: conversation }));
    limit.stop();
    sending.isLeaving = true;
    try {
      await room.sendInTurn(peer, { id, type: "send-clipboard", data, ...(isForRoom && { scope: "room" }) });
      if (this.#sending.get(peer)?.has(sending))
        limit.start(ackTimeoutMs, () => this.#end(peer, sending, new WarrenError("send-timeout")));
    } catch (thrown) {
      const error = toWarrenError(thrown);
      if (error.code === "frame-too-large") this.#end(peer, sending, error);
      // A channel that just closed means absence, not failure.
      else this.#awaitReturn(peer, sending);
    } finally {
      sending.isLeaving = false;
    }
  }

  #awaitReturn(peer: ClientId, sending: Sending): void {
    if (!this.#sending.get(peer)?.has(sending)) return;
    sending.limit.start(awayMaxMs, () =>
      this.#end(peer, sending, new WarrenError("peer-offline", { id: peer })),
    );
  }

  #end(peer: ClientId, sending: Sending, error: WarrenError | null): void {
    sending.limit.stop();
    const ofPeer = this.#sending.get(peer);
    ofPeer?.delete(sending);
    if (ofPeer?.size === 0) this.#sending.delete(peer);
    if (error === null) sending.resolve();
    else sending.reject(error);
  }

  #of(peer: ClientId): readonly Sending[] {
    return [...(this.#sending.get(peer) ?? [])];
  }
}
