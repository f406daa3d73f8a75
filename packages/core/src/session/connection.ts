import {
  type ClientId,
  messageChannelProtocol,
  transferChannelProtocol,
  WarrenError,
} from "@warren/protocol";
import { shownFingerprint } from "../handshake/fingerprint.ts";
import { statsOf } from "../ice/browser-answer.ts";
import { ChannelQuota } from "../ice/channel-quota.ts";
import { Negotiator } from "../ice/negotiator.ts";
import { type LaneBody, Lanes, type LanesDeps, type LanesEvents } from "../lanes/lanes.ts";
import type { Clock } from "../ports/clock.ts";
import { Countdown } from "../shared/countdown.ts";
import { Emitter } from "../shared/emitter.ts";
import type { ChannelBinding, SignalLink } from "../signalling/signal-link.ts";
import type { ClientBudgets } from "./message-budget.ts";
import { MessageChannel, type OutgoingMessage } from "./message-channel.ts";

const interruptionGraceMs = 2_000;
/** How long the last message on a connection may take to be sent. */
const farewellMs = 1_000;

/** Events of a connection. Its lanes emit on the same emitter, so no event has to be forwarded. */
type ConnectionEvents = LanesEvents & {
  /** A message channel exists, but is not open yet. */
  messages: [channel: MessageChannel];
  /** The message channel is open: the connection carries messages. */
  open: [];
  /** No packets got through for a while after opening; an ICE restart may help. */
  interrupted: [];
  /** Packets get through again. */
  recovered: [];
  /** The connection has to be discarded. */
  failed: [error: WarrenError];
};

export interface ConnectionDeps extends Pick<LanesDeps, "createConnection" | "lanePool"> {
  readonly selfId: ClientId;
  readonly peerId: ClientId;
  readonly connection: RTCPeerConnection;
  readonly link: SignalLink;
  /** Whether we started the attempt; the initiator opens the message channel. */
  readonly initiator: boolean;
  readonly isPolite: () => boolean;
  readonly clock: Clock;
  readonly budgets: ClientBudgets;
}

/** One RTCPeerConnection with its negotiation and channels, from an attempt's start to its end. */
export class Connection extends Emitter<ConnectionEvents> {
  readonly #deps: ConnectionDeps;
  readonly #connection: RTCPeerConnection;
  readonly #listening = new AbortController();
  readonly #channelQuota: ChannelQuota;
  readonly #negotiator: Negotiator;
  readonly lanes: Lanes;
  #messages: MessageChannel | null = null;
  #phase: "opening" | "open" | "interrupted" | "closed" = "opening";
  /** The time without packets that counts as an interruption. */
  readonly #grace: Countdown;

  constructor(deps: ConnectionDeps) {
    super();
    this.#deps = deps;
    this.#connection = deps.connection;
    this.#grace = new Countdown(deps.clock);
    this.#channelQuota = new ChannelQuota(deps.connection);
    const listening = { signal: this.#listening.signal };
    const onState = () => this.#noteState();
    this.#connection.addEventListener("iceconnectionstatechange", onState, listening);
    this.#connection.addEventListener("connectionstatechange", onState, listening);
    this.#connection.addEventListener("datachannel", (event) => this.#takeChannel(event.channel), listening);
    this.#negotiator = new Negotiator(deps);
    this.#negotiator.on("failed", (error) => this.#negotiationFailed(error));
    this.lanes = new Lanes({
      ...deps,
      // The peer takes a lane with the session's certificate only.
      createConnection: () => deps.createConnection(deps.connection),
      events: this,
      remoteFingerprint: () => this.binding?.remoteFingerprint ?? null,
      getStats: () => this.getStats(),
      send: (body) => this.#sendOfLanes(body),
    });
  }

  /** Starts: the initiator's message channel makes the browser offer. */
  start(): void {
    this.#noteState(); // it may have ended already
    this.#negotiator.start();
    if (!this.#deps.initiator || this.#phase === "closed") return;
    const options = { ordered: true, protocol: messageChannelProtocol };
    this.#takeMessages(this.#connection.createDataChannel(messageChannelProtocol, options));
  }

  /** Whether the peer has described its side: without that no path was tried. */
  get isAnswered(): boolean {
    return this.#connection.remoteDescription !== null;
  }

  /** The connection for media tracks: adding one renegotiates automatically. */
  get media(): RTCPeerConnection {
    return this.#connection;
  }

  get messages(): MessageChannel | null {
    return this.#messages;
  }

  /** @throws WarrenError `no-available-channel` or `channel-not-open`. */
  openTransferChannel(label: string, options: { readonly ordered: boolean }): RTCDataChannel {
    const channel = this.#channelQuota.open(label, options);
    this.lanes.wake();
    return channel;
  }

  /** Null on a link without a handshake: there is nothing to prove. */
  get binding(): ChannelBinding | null {
    return this.#deps.link.binding;
  }

  /** Our proof that this connection is the one of the handshake. @throws WarrenError `handshake-failed`. */
  ownProof(): string | null {
    return this.binding?.prove(shownFingerprint(this.#connection)) ?? null;
  }

  /** Whether the peer's proof shows that this connection is the one of the handshake. */
  isValidProof(proof: string): boolean {
    try {
      return this.binding?.verify(proof, shownFingerprint(this.#connection)) === true;
    } catch {
      // The certificate in use is not the one of the handshake.
      return false;
    }
  }

  getStats(): Promise<RTCStatsReport> {
    return statsOf(this.#connection, this.#deps.clock);
  }

  /** Looks for a new path within the same session. Fails the connection if the platform cannot. */
  restartIce(): void {
    try {
      this.#connection.restartIce();
    } catch {
      this.#fail(this.#stateError());
    }
  }

  /** Sends a last message, and closes the connection. @throws WarrenError `channel-not-open`. */
  closeWith(last: OutgoingMessage): void {
    if (this.#messages === null) throw new WarrenError("channel-not-open");
    this.#messages.send(last);
    this.closeReliably();
  }

  /**
   * Closes the message channel first: its close is retransmitted until it arrives, that of the connection is one
   * datagram.
   */
  closeReliably(): void {
    this.close(farewellMs);
  }

  /** @param afterMs how long pending data may take to be sent. */
  close(afterMs = 0): void {
    if (this.#phase === "closed") return;
    this.#phase = "closed";
    this.#listening.abort();
    this.#grace.stop();
    this.lanes.close();
    this.#negotiator.close();
    this.#deps.link.close();
    this.#messages?.close();
    if (afterMs === 0) this.#connection.close();
    else this.#deps.clock.after(afterMs, () => this.#connection.close());
  }

  /** A lane whose signal is lost ends by its own time limit. */
  #sendOfLanes(body: LaneBody): void {
    if (this.#messages?.isOpen !== true) return;
    try {
      this.#messages.send(body);
    } catch {
      // The channel closed meanwhile, and the lanes end with it.
    }
  }

  #takeMessages(channel: RTCDataChannel): void {
    const { selfId, peerId, clock, budgets } = this.#deps;
    const messages = new MessageChannel(channel, { selfId, peerId }, clock, budgets);
    this.#messages = messages;
    this.emit("messages", messages);
    messages.on("open", () => this.#opened());
    messages.on("closed", () =>
      this.#fail(new WarrenError("channel-closed", { label: messageChannelProtocol })),
    );
    if (messages.isOpen) this.#opened();
  }

  #takeChannel(channel: RTCDataChannel): void {
    if (channel.protocol === messageChannelProtocol && !this.#deps.initiator && this.#messages === null) {
      this.#takeMessages(channel);
    } else if (channel.protocol !== transferChannelProtocol) {
      channel.close();
      this.emit("violation", "unexpected channel");
    } else if (this.#channelQuota.take(channel)) {
      // Emitted synchronously: the channel's first messages follow immediately.
      this.emit("transfer-channel", channel);
    } else this.emit("violation", "too many channels");
  }

  #opened(): void {
    if (this.#phase !== "opening") return;
    this.#phase = "open";
    this.emit("open");
  }

  #noteState(): void {
    const { iceConnectionState: ice, connectionState } = this.#connection;
    const hasPath = ice === "connected" || ice === "completed";
    const isOpening = this.#phase === "opening";
    if (connectionState === "closed" || ice === "closed" || (isOpening && ice === "failed")) {
      this.#fail(this.#stateError());
    } else if (connectionState === "failed" && (isOpening || hasPath)) {
      // With a path, only the transport itself can fail, and an ICE restart does not help.
      this.#fail(this.#stateError());
    } else if (isOpening) return;
    else if (hasPath) this.#recover();
    else if (ice === "failed") this.#interrupt();
    else if (ice === "disconnected") {
      if (!this.#grace.isRunning) this.#grace.start(interruptionGraceMs, () => this.#interrupt());
    }
  }

  #recover(): void {
    this.#grace.stop();
    if (this.#phase !== "interrupted") return;
    this.#phase = "open";
    this.emit("recovered");
  }

  #interrupt(): void {
    this.#grace.stop();
    if (this.#phase !== "open") return;
    this.#phase = "interrupted";
    this.emit("interrupted");
  }

  #stateError(): WarrenError {
    return new WarrenError("connection-failed", { state: this.#connection.connectionState });
  }

  /** On an open connection, only media change a description, so the peer is told that its media are the reason. */
  #negotiationFailed(error: WarrenError): void {
    const isRefused = error.code === "description-invalid" && error.values.type === "offer";
    if (this.#phase === "closed") return;
    try {
      if (isRefused) this.closeWith({ type: "media-refused" });
    } catch {
      // The channel is not open: the peer only sees the connection close.
    }
    this.close();
    this.emit("failed", error);
  }

  #fail(error: WarrenError): void {
    if (this.#phase === "closed") return;
    this.close();
    this.emit("failed", error);
  }
}
