import type { ClientId, MessageId, PeerMessageOf } from "@warren/protocol";
import type { CancelTimer, Clock } from "../ports/clock.ts";
import type { OutgoingMessage } from "../session/message-channel.ts";
import { Emitting } from "../shared/emitter.ts";
import { randomUuid } from "../shared/ids.ts";
import { createStore, type ReadableStore, type WritableStore } from "../shared/store.ts";

/** A call that nobody answers stops ringing after this time, on both sides. */
export const ringMs = 45_000;
/** Rings of one peer within {@link ringWindowMs}; more are ignored. */
const ringsMax = 4;
const ringWindowMs = 60_000;

/** A peer that calls. */
export interface IncomingRing {
  readonly id: MessageId;
  readonly from: ClientId;
  readonly video: boolean;
  /** Everyone in the room is called, not only we. */
  readonly toRoom: boolean;
}

/** Those we call, until each has answered. */
export interface OutgoingRing {
  readonly id: MessageId;
  readonly video: boolean;
  readonly toRoom: boolean;
  readonly waiting: readonly ClientId[];
}

/** Who calls whom in the room. */
export interface RingingState {
  /** In the order in which they came. */
  readonly incoming: readonly IncomingRing[];
  readonly outgoing: OutgoingRing | null;
  /** The other one of a call between two; null without one. */
  readonly partner: ClientId | null;
}

export type RingingEvents = {
  /** A peer that we called has answered, or has not. */
  answered: [from: ClientId, answer: "join" | "decline" | "none"];
  /** A peer no longer calls, and we did not answer. */
  missed: [ring: IncomingRing];
  /** The other one has left a call between two. */
  "hung-up": [partner: ClientId];
};

interface RingingDeps {
  readonly clock: Clock;
  /** Whether a peer has announced that it can be called. */
  readonly rings: (peerId: ClientId) => boolean;
  /** @throws WarrenError if the peer is unreachable */
  readonly send: (to: ClientId, message: OutgoingMessage) => void;
}

const quiet: RingingState = { incoming: [], outgoing: null, partner: null };

/**
 * Calling somebody: a ring, and its answer. What is then shared is the {@link Call}'s matter; this says only who agreed to it.
 */
export class Ringing extends Emitting<RingingEvents> {
  readonly store: ReadableStore<RingingState>;
  readonly #store: WritableStore<RingingState> = createStore<RingingState>(quiet);
  readonly #deps: RingingDeps;
  /** When each peer has rung lately. */
  readonly #rungAtMs = new Map<ClientId, readonly number[]>();
  readonly #incomingTimers = new Map<MessageId, CancelTimer>();
  #stopWaiting: CancelTimer = () => {};
  /** The rings of the call with the partner: both may have called at once. */
  #partnerRings: readonly MessageId[] = [];

  constructor(deps: RingingDeps) {
    super();
    this.store = this.#store;
    this.#deps = deps;
  }

  /** Calls peers; a call of ours that still rings ends. A call to one who is calling us accepts theirs. */
  ring(
    peers: readonly ClientId[],
    { video, toRoom }: { readonly video: boolean; readonly toRoom: boolean },
  ): void {
    const [first] = peers;
    if (!toRoom && first !== undefined && this.#incomingOf(first)?.toRoom === false && this.join(first))
      return;
    this.hangUp();
    const id = randomUuid();
    const waiting = peers
      .filter((to) => this.#deps.rings(to))
      .filter((to) => this.#send(to, { type: "ring", id, video, ...(toRoom && { scope: "room" }) }));
    if (waiting.length > 0) {
      this.#patch({ outgoing: { id, video, toRoom, waiting } });
      this.#stopWaiting = this.#deps.clock.after(ringMs, () => this.#giveUp());
    }
    for (const to of peers) if (!waiting.includes(to)) this.emit("answered", to, "none");
  }

  /** Accepts the call of a peer. @returns its ring; null if it no longer rings, or the peer cannot be reached */
  join(from: ClientId): IncomingRing | null {
    const ring = this.#incomingOf(from);
    if (ring === undefined) return null;
    this.hangUp();
    if (!this.#answer(ring, "join")) {
      this.emit("missed", ring);
      return null;
    }
    if (!ring.toRoom) this.#meet(from, [ring.id]);
    return ring;
  }

  decline(from: ClientId): void {
    const ring = this.#incomingOf(from);
    if (ring !== undefined) this.#answer(ring, "decline");
  }

  /** Ends our ring, and a call between two. */
  hangUp(): void {
    const { outgoing, partner } = this.#store.getState();
    this.#stopWaiting();
    if (outgoing !== null)
      for (const to of outgoing.waiting) this.#send(to, { type: "ring-end", id: outgoing.id });
    const [id] = this.#partnerRings;
    if (partner !== null && id !== undefined) this.#send(partner, { type: "ring-end", id });
    this.#partnerRings = [];
    this.#patch({ outgoing: null, partner: null });
  }

  receive(from: ClientId, message: PeerMessageOf<"ring" | "ring-answer" | "ring-end">): void {
    if (message.type === "ring") this.#receiveRing(from, message);
    else if (message.type === "ring-end") this.#receiveEnd(from, message.id);
    else this.#receiveAnswer(from, message);
  }

  /** Messages can be sent to a peer again, to which a ring may have been lost. */
  peerReady(peerId: ClientId): void {
    const { outgoing } = this.#store.getState();
    if (outgoing === null || !outgoing.waiting.includes(peerId)) return;
    const { id, video, toRoom } = outgoing;
    this.#send(peerId, { type: "ring", id, video, ...(toRoom && { scope: "room" }) });
  }

  /** A peer is no longer in the room. */
  peerLeft(peerId: ClientId): void {
    const ring = this.#incomingOf(peerId);
    if (ring !== undefined) this.#miss(ring);
    this.#settle(peerId, "none");
    this.#rungAtMs.delete(peerId);
    if (this.#store.getState().partner === peerId) this.#endWith(peerId);
  }

  /** The membership is over. */
  close(): void {
    this.#stopWaiting();
    for (const cancel of this.#incomingTimers.values()) cancel();
    this.#incomingTimers.clear();
    this.#rungAtMs.clear();
    this.#partnerRings = [];
    this.#store.setState(quiet, true);
  }

  #receiveRing(from: ClientId, { id, video, scope }: PeerMessageOf<"ring">): void {
    const { outgoing, partner } = this.#store.getState();
    const toRoom = scope === "room";
    const before = this.#incomingOf(from);
    if (before?.id === id || this.#partnerRings.includes(id) || this.#ringsTooOften(from)) return;
    const isMutual = outgoing?.toRoom === false && outgoing.waiting.includes(from);
    // Both called each other: nobody has to press anything.
    if (!toRoom && (isMutual || partner === from)) {
      this.#send(from, { type: "ring-answer", id, answer: "join" });
      const rings = [...this.#partnerRings, ...(isMutual ? [outgoing.id] : []), id];
      this.#meet(from, rings.slice(-ringsMax));
      if (isMutual) this.#settle(from, "join");
      return;
    }
    if (before !== undefined) this.#forget(before);
    const ring: IncomingRing = { id, from, video, toRoom };
    this.#patch({ incoming: [...this.#store.getState().incoming, ring] });
    this.#incomingTimers.set(
      id,
      this.#deps.clock.after(ringMs, () => this.#miss(ring)),
    );
  }

  #receiveAnswer(from: ClientId, { id, answer }: PeerMessageOf<"ring-answer">): void {
    const { outgoing } = this.#store.getState();
    if (outgoing?.id !== id || !outgoing.waiting.includes(from)) return;
    if (answer === "join" && !outgoing.toRoom) this.#meet(from, [id]);
    this.#settle(from, answer);
  }

  #receiveEnd(from: ClientId, id: MessageId): void {
    const ring = this.#incomingOf(from);
    if (ring?.id === id) this.#miss(ring);
    if (this.#store.getState().partner === from && this.#partnerRings.includes(id)) this.#endWith(from);
  }

  #ringsTooOften(from: ClientId): boolean {
    const now = this.#deps.clock.elapsedMs();
    const lately = (this.#rungAtMs.get(from) ?? []).filter((atMs) => now - atMs < ringWindowMs);
    const isTooOften = lately.length >= ringsMax;
    this.#rungAtMs.set(from, isTooOften ? lately : [...lately, now]);
    return isTooOften;
  }

  #meet(partner: ClientId, rings: readonly MessageId[]): void {
    this.#partnerRings = rings;
    this.#patch({ partner });
  }

  #endWith(partner: ClientId): void {
    this.#partnerRings = [];
    this.#patch({ partner: null });
    this.emit("hung-up", partner);
  }

  /** A peer that we call has answered, or will not. */
  #settle(from: ClientId, answer: "join" | "decline" | "none"): void {
    const { outgoing } = this.#store.getState();
    if (!outgoing?.waiting.includes(from)) return;
    const waiting = outgoing.waiting.filter((one) => one !== from);
    if (waiting.length === 0) this.#stopWaiting();
    this.#patch({ outgoing: waiting.length === 0 ? null : { ...outgoing, waiting } });
    this.emit("answered", from, answer);
  }

  #giveUp(): void {
    const { outgoing } = this.#store.getState();
    if (outgoing === null) return;
    for (const to of outgoing.waiting) {
      this.#send(to, { type: "ring-end", id: outgoing.id });
      this.#settle(to, "none");
    }
  }

  /** @returns whether the peer could be reached */
  #answer(ring: IncomingRing, answer: "join" | "decline"): boolean {
    this.#forget(ring);
    return this.#send(ring.from, { type: "ring-answer", id: ring.id, answer });
  }

  #miss(ring: IncomingRing): void {
    this.#forget(ring);
    this.emit("missed", ring);
  }

  #forget(ring: IncomingRing): void {
    this.#incomingTimers.get(ring.id)?.();
    this.#incomingTimers.delete(ring.id);
    this.#patch({ incoming: this.#store.getState().incoming.filter((one) => one !== ring) });
  }

  #incomingOf(from: ClientId): IncomingRing | undefined {
    return this.#store.getState().incoming.find((ring) => ring.from === from);
  }

  /** @returns whether the peer could be reached */
  #send(to: ClientId, message: OutgoingMessage): boolean {
    try {
      this.#deps.send(to, message);
      return true;
    } catch {
      return false; // it is about to leave or to return
    }
  }

  #patch(change: Partial<RingingState>): void {
    this.#store.setState({ ...this.#store.getState(), ...change }, true);
  }
}
