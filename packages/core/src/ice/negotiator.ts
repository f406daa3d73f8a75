import {
  type ClientId,
  type Rate,
  type Signal,
  TokenBucket,
  toWarrenError,
  WarrenError,
} from "@warren/protocol";
import type { CancelTimer, Clock } from "../ports/clock.ts";
import { Emitting } from "../shared/emitter.ts";
import type { SignalLink } from "../signalling/signal-link.ts";
import { answerOf } from "./browser-answer.ts";
import { CandidateFilter, candidatesPerGeneration } from "./candidate-filter.ts";
import { HeaderExtensions } from "./header-extensions.ts";
import { withOpusParameters } from "./opus-parameters.ts";

type CandidateData = Extract<Signal, { type: "candidate" }>["data"];

/** How many offers of the peer are answered; a call needs a few at once. Others wait. */
const offerRate: Rate = { burst: 20, perSecond: 1 };
/** How many signals wait to be applied; a whole attempt has some 35. */
const waitingSignals = 256;

export interface NegotiatorDeps {
  readonly peerId: ClientId;
  readonly connection: RTCPeerConnection;
  readonly link: SignalLink;
  /** Whether we yield when both sides offer at once: the later joiner does. */
  readonly isPolite: () => boolean;
  readonly clock: Clock;
}

type NegotiatorEvents = {
  /** The link failed, or a description could not be created or applied: the connection has to be discarded. */
  failed: [error: WarrenError];
};

/** "Perfect negotiation" on one connection: offers when needed, answers, and resolves collisions by politeness. */
export class Negotiator extends Emitting<NegotiatorEvents> {
  readonly #deps: NegotiatorDeps;
  readonly #connection: RTCPeerConnection;
  readonly #listening = new AbortController();
  /** Applies signals one at a time, in order of arrival. */
  #applying: Promise<void> = Promise.resolve();
  #toApply = 0;
  readonly #offers: TokenBucket;
  #cancelWait: CancelTimer = () => {};
  #waitingCandidates: RTCIceCandidateInit[] = [];
  #makingOffer = false;
  /** Settles once the offer that is being made, if any, is ours. */
  #offering: Promise<void> = Promise.resolve();
  readonly #extensions = new HeaderExtensions();
  readonly #ownCandidates: CandidateFilter;
  readonly #theirCandidates: CandidateFilter;
  /** A description restarted ICE, and the new search for a path has not finished. */
  #isRestarting = false;

  constructor(deps: NegotiatorDeps) {
    super();
    this.#deps = deps;
    this.#connection = deps.connection;
    this.#offers = new TokenBucket(offerRate, deps.clock);
    this.#ownCandidates = new CandidateFilter(deps.clock);
    this.#theirCandidates = new CandidateFilter(deps.clock);
    const { signal } = this.#listening;
    const onIceState = () => {
      if (this.#hasPath) this.#isRestarting = false;
    };
    this.#connection.addEventListener("iceconnectionstatechange", onIceState, { signal });
    this.#connection.addEventListener("negotiationneeded", () => void this.#negotiate(), { signal });
    this.#connection.addEventListener("icecandidate", (event) => this.#sendCandidate(event.candidate), {
      signal,
    });
  }

  /** Applies pending signals of the peer, then starts sending. A failed link reports its error during this call. */
  start(): void {
    const { link } = this.#deps;
    link.on("signal", (signal) => this.#receive(signal));
    link.on("failed", (error) => this.emit("failed", error));
    link.start();
  }

  /** Creates an offer now. @throws WarrenError `already-making-offer`, `session-closed` or `webrtc-blocked`. */
  async offer(): Promise<void> {
    if (this.#closed)
      throw new WarrenError("session-closed", { id: this.#deps.peerId, action: "renegotiate" });
    if (this.#makingOffer) throw new WarrenError("already-making-offer", { id: this.#deps.peerId });
    this.#makingOffer = true;
    const offering = this.#describe().finally(() => {
      this.#makingOffer = false;
    });
    this.#offering = offering.catch(() => {});
    await offering;
  }

  close(): void {
    this.#listening.abort();
    this.#cancelWait();
    this.#waitingCandidates = [];
  }

  get #closed(): boolean {
    return this.#listening.signal.aborted;
  }

  async #negotiate(): Promise<void> {
    // If an offer is in progress, the browser asks again once the state is stable.
    if (this.#makingOffer || this.#closed) return;
    try {
      await this.offer();
    } catch (thrown) {
      this.#fail(thrown);
    }
  }

  #receive(signal: Signal): void {
    if (this.#toApply >= waitingSignals) return;
    this.#toApply++;
    this.#applying = this.#applying.then(async () => {
      if (signal.type === "offer") await this.#whenAnswerable();
      this.#toApply--;
      if (this.#closed) return;
      try {
        if (signal.type === "candidate") await this.#applyCandidate(candidateOf(signal.data));
        else await this.#applyDescription(signal.data);
      } catch (thrown) {
        this.#fail(thrown);
      }
    });
  }

  /** Resolves once another offer may be answered. */
  async #whenAnswerable(): Promise<void> {
    while (!this.#offers.take() && !this.#closed) {
      await new Promise<void>((resolve) => {
        this.#cancelWait = this.#deps.clock.after(this.#offers.waitMs(), resolve);
      });
    }
  }

  async #applyDescription(description: RTCSessionDescriptionInit): Promise<void> {
    const { type } = description;
    // The browser finishes it first anyway, and what it names matters to the other one.
    if (type === "offer") await this.#offering;
    const state = this.#connection.signalingState;
    if (type === "answer" && state !== "have-local-offer") return;
    const collides = type === "offer" && (this.#makingOffer || state !== "stable");
    if (collides && !this.#deps.isPolite()) return;
    const { sdp, isRestart } = this.#theirCandidates.describe(description.sdp ?? "");
    this.#isRestarting ||= isRestart;
    // Rolls back our own offer if we are polite.
    const known = type === "offer" ? this.#extensions.without(sdp) : sdp;
    const suited = withOpusParameters(known, this.#connection.getTransceivers());
    await this.#answerOf("setRemoteDescription", () =>
      this.#connection.setRemoteDescription({ type, sdp: suited }),
    ).catch((thrown: unknown) => {
      throw toWarrenError(thrown, "description-invalid", { type });
    });
    for (const candidate of this.#waitingCandidates.splice(0)) await this.#addCandidate(candidate);
    if (type === "offer") await this.#describe();
  }

  async #applyCandidate(candidate: RTCIceCandidateInit): Promise<void> {
    if (this.#connection.remoteDescription === null) {
      if (this.#waitingCandidates.length < candidatesPerGeneration) this.#waitingCandidates.push(candidate);
    } else await this.#addCandidate(candidate);
  }

  async #addCandidate(candidate: RTCIceCandidateInit): Promise<void> {
    if (this.#hasPath && !this.#isRestarting) return;
    if (!this.#theirCandidates.admits(candidate.candidate ?? "")) return;
    // The browser rejects candidates of an ignored offer or an earlier attempt; one bad candidate among good ones
    // is no reason to give up.
    await this.#answerOf("addIceCandidate", () => this.#connection.addIceCandidate(candidate)).catch(
      () => {},
    );
  }

  /** Creates and sends the offer or answer that is due. */
  async #describe(): Promise<void> {
    await this.#answerOf("setLocalDescription", () => this.#connection.setLocalDescription());
    if (this.#closed) return;
    const description = this.#connection.localDescription;
    if (!description) throw new WarrenError("webrtc-blocked", { call: "setLocalDescription" });
    const { type } = description;
    this.#extensions.add(description.sdp);
    const { sdp } = this.#ownCandidates.describe(description.sdp);
    if (type === "offer") this.#deps.link.send({ type, data: { type, sdp } });
    else if (type === "answer") this.#deps.link.send({ type, data: { type, sdp } });
  }

  #sendCandidate(candidate: RTCIceCandidate | null): void {
    if (candidate === null || !this.#ownCandidates.admits(candidate.candidate)) return;
    const { candidate: line, sdpMid, sdpMLineIndex, usernameFragment } = candidate;
    this.#deps.link.send({
      type: "candidate",
      data: { candidate: line, sdpMid, sdpMLineIndex, usernameFragment },
    });
  }

  #answerOf(call: string, ask: () => Promise<void>): Promise<void> {
    return answerOf(this.#deps.clock, call, ask);
  }

  get #hasPath(): boolean {
    const { iceConnectionState } = this.#connection;
    return iceConnectionState === "connected" || iceConnectionState === "completed";
  }

  #fail(thrown: unknown): void {
    if (this.#closed) return;
    this.emit("failed", toWarrenError(thrown, "webrtc-blocked", { call: "setLocalDescription" }));
  }
}

/** The candidate without the fields that the peer omitted. */
function candidateOf(data: CandidateData): RTCIceCandidateInit {
  const { candidate, sdpMid = null, sdpMLineIndex = null, usernameFragment = null } = data;
  return { candidate, sdpMid, sdpMLineIndex, usernameFragment };
}
