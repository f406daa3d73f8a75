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

/** A call that is over. */
export interface PastCall {
  /** Null if we called. */
  readonly caller: ClientId | null;
  /** The other one of a call between two; null if everyone in the room was called. */
  readonly other: ClientId | null;
  readonly video: boolean;
  /** `unanswered` is also one that was taken back before somebody answered. */
  readonly outcome: "ended" | "declined" | "unanswered";
  /** Of one that `ended`; else 0. */
  readonly durationMs: number;
  /** Of one that `ended`: it was told of before, as one that was not joined. */
  readonly isJoinedLate?: boolean;
}

export type RingingEvents = {
  /** A peer that we called has answered, or has not. */
  answered: [from: ClientId, answer: "join" | "decline" | "none"];
  /** A peer no longer calls, and we did not answer. */
  missed: [ring: IncomingRing];
  /** The other one has left a call between two. */
  "hung-up": [partner: ClientId];
  /** A call between two is over, or nobody joined one to everyone. */
  over: [call: PastCall];
};

interface RingingDeps {
  readonly clock: Clock;
  /** Whether a peer has announced that it can be called. */
  readonly rings: (peerId: ClientId) => boolean;
  /** @throws WarrenError if the peer is unreachable */
  readonly send: (to: ClientId, message: OutgoingMessage) => void;
}

/** The call with the partner. */
interface PrivateCall {
  readonly caller: ClientId | null;
  readonly video: boolean;
  /** By {@link Clock.elapsedMs}. */
  readonly sinceMs: number;
  /** Both may have called at once. */
  readonly rings: readonly MessageId[];
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
  /** Who called us alone and was not joined. */
  readonly #unanswered = new Set<ClientId>();
  #stopWaiting: CancelTimer = () => {};
  #privateCall: PrivateCall | null = null;
  /** Whether somebody has joined the call to everyone that rings. */
  #isRoomJoined = false;

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
    this.#isRoomJoined = false;
    if (waiting.length > 0) {
      this.#patch({ outgoing: { id, video, toRoom, waiting } });
      this.#stopWaiting = this.#deps.clock.after(ringMs, () => this.#giveUp());
    }
    for (const to of peers) {
      if (waiting.includes(to)) continue;
      this.emit("answered", to, "none");
      if (!toRoom) this.#emitOver({ caller: null, other: to, video, outcome: "unanswered" });
    }
  }

  /** Accepts the call of a peer. @returns its ring; null if it no longer rings, or the peer cannot be reached */
  join(from: ClientId): IncomingRing | null {
    const ring = this.#incomingOf(from);
    if (ring === undefined) return null;
    this.#unanswered.delete(from);
    this.hangUp();
    if (!this.#answer(ring, "join")) {
      this.#emitMissed(ring);
      return null;
    }
    if (!ring.toRoom) this.#meet(from, { caller: from, video: ring.video, rings: [ring.id] });
    return ring;
  }

  /**
   * Whether what a peer shares is for a call to us alone that we did not join, also after we declined or did not answer: it may share
   * on. Everyone's call one may be in already.
   */
  isUnanswered(peerId: ClientId): boolean {
    return this.#unanswered.has(peerId);
  }

  /** What a peer that shares nothing now shares from now on is for the room, unless it still calls. */
  peerStoppedSharing(peerId: ClientId): void {
    if (this.#incomingOf(peerId) === undefined) this.#unanswered.delete(peerId);
  }

  decline(from: ClientId): void {
    const ring = this.#incomingOf(from);
    if (ring === undefined) return;
    this.#answer(ring, "decline");
    this.#emitOver({ ...sidesOf(ring), video: ring.video, outcome: "declined" });
  }

  /** Ends our ring, and a call between two. */
  hangUp(): void {
    const { outgoing, partner } = this.#store.getState();
    this.#stopWaiting();
    if (outgoing !== null)
      for (const to of outgoing.waiting) this.#send(to, { type: "ring-end", id: outgoing.id });
    const id = this.#privateCall?.rings[0];
    if (partner !== null && id !== undefined) this.#send(partner, { type: "ring-end", id });
    this.#forgetOwn();
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
    this.#unanswered.delete(peerId);
    if (this.#store.getState().partner === peerId) this.#endWith(peerId);
  }

  /** The membership is over. */
  close(): void {
    this.#stopWaiting();
    for (const cancel of this.#incomingTimers.values()) cancel();
    this.#incomingTimers.clear();
    this.#rungAtMs.clear();
    this.#unanswered.clear();
    const { incoming } = this.#store.getState();
    this.#forgetOwn();
    this.#store.setState(quiet, true);
    for (const ring of incoming)
      this.#emitOver({ ...sidesOf(ring), video: ring.video, outcome: "unanswered" });
  }

  #receiveRing(from: ClientId, { id, video, scope }: PeerMessageOf<"ring">): void {
    const { outgoing, partner } = this.#store.getState();
    const toRoom = scope === "room";
    const before = this.#incomingOf(from);
    if (before?.id === id || this.#privateCall?.rings.includes(id) || this.#ringsTooOften(from)) return;
    const isMutual = outgoing?.toRoom === false && outgoing.waiting.includes(from);
    // Both called each other: nobody has to press anything.
    if (!toRoom && (isMutual || partner === from)) {
      this.#send(from, { type: "ring-answer", id, answer: "join" });
      const rings = [...(this.#privateCall?.rings ?? []), ...(isMutual ? [outgoing.id] : []), id];
      this.#meet(from, { caller: isMutual ? null : from, video, rings: rings.slice(-ringsMax) });
      if (isMutual) this.#settle(from, "join");
      return;
    }
    if (toRoom) this.#unanswered.delete(from);
    else this.#unanswered.add(from);
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
    if (answer === "join" && !outgoing.toRoom)
      this.#meet(from, { caller: null, video: outgoing.video, rings: [id] });
    this.#settle(from, answer);
  }

  #receiveEnd(from: ClientId, id: MessageId): void {
    const ring = this.#incomingOf(from);
    if (ring?.id === id) this.#miss(ring);
    if (this.#store.getState().partner === from && this.#privateCall?.rings.includes(id)) this.#endWith(from);
  }

  #ringsTooOften(from: ClientId): boolean {
    const now = this.#deps.clock.elapsedMs();
    const lately = (this.#rungAtMs.get(from) ?? []).filter((atMs) => now - atMs < ringWindowMs);
    const isTooOften = lately.length >= ringsMax;
    this.#rungAtMs.set(from, isTooOften ? lately : [...lately, now]);
    return isTooOften;
  }

  #meet(partner: ClientId, call: Omit<PrivateCall, "sinceMs">): void {
    const now = this.#deps.clock.elapsedMs();
    // One who calls during a call is in it.
    this.#privateCall =
      this.#privateCall === null ? { ...call, sinceMs: now } : { ...this.#privateCall, rings: call.rings };
    this.#unanswered.delete(partner);
    this.#patch({ partner });
  }

  #endWith(partner: ClientId): void {
    this.#endPrivateCall();
    this.emit("hung-up", partner);
  }

  /** The call with the partner is over, whoever ended it. */
  #endPrivateCall(): void {
    const { partner } = this.#store.getState();
    const call = this.#privateCall;
    this.#privateCall = null;
    this.#patch({ partner: null });
    if (partner === null || call === null) return;
    const { caller, video, sinceMs } = call;
    const durationMs = Math.round(this.#deps.clock.elapsedMs() - sinceMs);
    this.#emitOver({ caller, other: partner, video, outcome: "ended", durationMs });
  }

  /** Nobody is called any more, and a call between two is over. */
  #forgetOwn(): void {
    const { outgoing } = this.#store.getState();
    this.#patch({ outgoing: null });
    this.#endPrivateCall();
    if (outgoing !== null && !(outgoing.toRoom && this.#isRoomJoined))
      this.#emitOver({ caller: null, ...sidesOfOwn(outgoing), outcome: "unanswered" });
  }

  /** A peer that we call has answered, or will not. */
  #settle(from: ClientId, answer: "join" | "decline" | "none"): void {
    const { outgoing } = this.#store.getState();
    if (!outgoing?.waiting.includes(from)) return;
    const waiting = outgoing.waiting.filter((one) => one !== from);
    const isOver = waiting.length === 0;
    if (isOver) this.#stopWaiting();
    if (answer === "join") this.#isRoomJoined = outgoing.toRoom;
    this.#patch({ outgoing: isOver ? null : { ...outgoing, waiting } });
    this.emit("answered", from, answer);
    if (!isOver || answer === "join" || (outgoing.toRoom && this.#isRoomJoined)) return;
    const isDeclined = answer === "decline" && !outgoing.toRoom;
    this.#emitOver({
      ...{ caller: null, ...sidesOfOwn(outgoing) },
      outcome: isDeclined ? "declined" : "unanswered",
    });
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
    this.#emitMissed(ring);
  }

  #emitMissed(ring: IncomingRing): void {
    this.emit("missed", ring);
    this.#emitOver({ ...sidesOf(ring), video: ring.video, outcome: "unanswered" });
  }

  #emitOver(call: Omit<PastCall, "durationMs"> & Partial<PastCall>): void {
    this.emit("over", { durationMs: 0, ...call });
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

function sidesOf({ from, toRoom }: IncomingRing): Pick<PastCall, "caller" | "other"> {
  return { caller: from, other: toRoom ? null : from };
}

function sidesOfOwn({ toRoom, waiting, video }: OutgoingRing): Pick<PastCall, "other" | "video"> {
  return { other: toRoom ? null : (waiting[0] ?? null), video };
}
