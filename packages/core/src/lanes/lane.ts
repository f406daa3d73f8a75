import { equalBytes } from "@noble/curves/utils.js";
import {
  type ClientId,
  type LaneId,
  laneChannelProtocol,
  type Signal,
  transferChannelProtocol,
  WarrenError,
} from "@warren/protocol";
import { shownFingerprint } from "../handshake/fingerprint.ts";
import { statsOf } from "../ice/browser-answer.ts";
import { ChannelQuota } from "../ice/channel-quota.ts";
import type { CreateConnection } from "../ice/connection-factory.ts";
import { Negotiator } from "../ice/negotiator.ts";
import type { Clock } from "../ports/clock.ts";
import { Countdown } from "../shared/countdown.ts";
import type { Emitter } from "../shared/emitter.ts";
import { LaneLink } from "./lane-link.ts";
import type { TransferLane } from "./transfer-lane.ts";

const openTimeoutMs = 10_000;
/** A lane is closed after this time without packets; the session's own connection waits longer. */
const interruptionGraceMs = 2_000;
/** How long data in flight may take to arrive when a lane is no longer needed. */
const drainMs = 5_000;

/** Events of a lane, emitted on the emitter of its connection. */
export type LaneEvents = {
  /** Whether a lane can carry channels has changed. */
  lane: [lane: Lane];
  "transfer-channel": [channel: RTCDataChannel];
  /** The peer violated the protocol. */
  violation: [issue: string];
};

export interface LaneDeps {
  readonly id: LaneId;
  readonly peerId: ClientId;
  /** Whether we opened it. */
  readonly isOwn: boolean;
  readonly remoteFingerprint: Uint8Array | null;
  readonly createConnection: CreateConnection;
  readonly clock: Clock;
  readonly send: (signal: Signal) => void;
  /** The emitter of the connection. */
  readonly events: Pick<Emitter<LaneEvents>, "emit">;
}

/** One lane from its offer to its end: a connection without messages, authenticated by the session. */
export class Lane implements TransferLane {
  readonly #deps: LaneDeps;
  readonly #link: LaneLink;
  readonly #listening = new AbortController();
  /** The time limit for opening, and later for draining. */
  readonly #deadline: Countdown;
  readonly #grace: Countdown;
  #state: "opening" | "open" | "ending" | "closed" = "opening";
  #connection: RTCPeerConnection | null = null;
  #negotiator: Negotiator | null = null;
  #channelQuota: ChannelQuota | null = null;
  #control: RTCDataChannel | null = null;

  constructor(deps: LaneDeps) {
    this.#deps = deps;
    this.#deadline = new Countdown(deps.clock);
    this.#grace = new Countdown(deps.clock);
    const { remoteFingerprint, send } = deps;
    this.#link = new LaneLink({ remoteFingerprint, send });
    this.#link.on("violation", (issue) => this.#violate(issue));
  }

  get id(): LaneId {
    return this.#deps.id;
  }

  get isOwn(): boolean {
    return this.#deps.isOwn;
  }

  get state(): "opening" | "open" | "ending" | "closed" {
    return this.#state;
  }

  get isLost(): boolean {
    return this.#state === "closed";
  }

  start(): void {
    this.#deadline.start(openTimeoutMs, () => this.close());
    void this.#connect().catch(() => this.close());
  }

  /** Handles a signal of the peer. */
  receive(signal: Signal): void {
    this.#link.receive(signal);
  }

  /** @throws WarrenError `no-available-channel` or `channel-not-open`. */
  openTransferChannel(label: string, options: { readonly ordered: boolean }): RTCDataChannel {
    if (this.#channelQuota === null || this.#state !== "open") throw new WarrenError("channel-not-open");
    return this.#channelQuota.open(label, options);
  }

  async getStats(): Promise<RTCStatsReport | null> {
    return this.#connection && statsOf(this.#connection, this.#deps.clock);
  }

  /** Accepts no new channels, and closes after data in flight had time to arrive. */
  end(): void {
    if (this.#state === "opening") this.close();
    if (this.#state !== "open") return;
    this.#state = "ending";
    this.#deadline.start(drainMs, () => this.close());
    this.#deps.events.emit("lane", this);
  }

  close(): void {
    if (this.#state === "closed") return;
    this.#state = "closed";
    this.#listening.abort();
    this.#deadline.stop();
    this.#grace.stop();
    this.#link.close();
    this.#negotiator?.close();
    this.#connection?.close();
    this.#deps.events.emit("lane", this);
  }

  async #connect(): Promise<void> {
    const { createConnection, peerId, isOwn } = this.#deps;
    const connection = await createConnection();
    if (this.#state !== "opening") return connection.close();
    this.#connection = connection;
    this.#channelQuota = new ChannelQuota(connection);
    const { signal } = this.#listening;
    const onState = () => this.#noteState(connection);
    connection.addEventListener("iceconnectionstatechange", onState, { signal });
    connection.addEventListener("connectionstatechange", onState, { signal });
    connection.addEventListener("datachannel", ({ channel }) => this.#takeChannel(channel), { signal });
    this.#negotiator = new Negotiator({
      peerId,
      connection,
      link: this.#link,
      // Only the side that opens a lane offers, and only once.
      isPolite: () => !isOwn,
      clock: this.#deps.clock,
    });
    this.#negotiator.on("failed", () => this.close());
    this.#negotiator.start();
    if (isOwn)
      this.#takeControl(connection.createDataChannel(laneChannelProtocol, { protocol: laneChannelProtocol }));
  }

  #takeChannel(channel: RTCDataChannel): void {
    if (channel.protocol === laneChannelProtocol && !this.isOwn && this.#control === null)
      this.#takeControl(channel);
    else if (channel.protocol !== transferChannelProtocol) {
      channel.close();
      this.#deps.events.emit("violation", "unexpected channel on a lane");
    } else if (this.#channelQuota?.take(channel) === true)
      this.#deps.events.emit("transfer-channel", channel);
    else this.#deps.events.emit("violation", "too many channels");
  }

  /** The channel that a lane starts and ends with. */
  #takeControl(channel: RTCDataChannel): void {
    this.#control = channel;
    const { signal } = this.#listening;
    channel.addEventListener("open", () => this.#opened(), { signal });
    channel.addEventListener("close", () => this.close(), { signal });
    if (channel.readyState === "open") this.#opened();
  }

  #opened(): void {
    const { remoteFingerprint, events } = this.#deps;
    if (this.#state !== "opening" || this.#connection === null) return;
    const shown = shownFingerprint(this.#connection);
    if (remoteFingerprint !== null && shown !== null && !equalBytes(remoteFingerprint, shown)) {
      this.#violate("lane of another certificate");
      return;
    }
    this.#state = "open";
    this.#deadline.stop();
    events.emit("lane", this);
  }

  #noteState({ iceConnectionState: ice, connectionState }: RTCPeerConnection): void {
    if (ice === "failed" || connectionState === "failed" || connectionState === "closed") this.close();
    else if (ice !== "disconnected") this.#grace.stop();
    else if (!this.#grace.isRunning) this.#grace.start(interruptionGraceMs, () => this.close());
  }

  #violate(issue: string): void {
    this.close();
    this.#deps.events.emit("violation", issue);
  }
}
