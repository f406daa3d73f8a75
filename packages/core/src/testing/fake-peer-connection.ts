import { randomUuid } from "../shared/ids.ts";
import { type FakeChannelOptions, FakeDataChannel } from "./fake-data-channel.ts";
import { FakeTransceiver, type Section, sectionsOf } from "./fake-transceiver.ts";

/** The network path of a connection's packets; may change. */
export interface FakePath {
  /** The behaviour of channels created from now on. */
  channelOptions: FakeChannelOptions;
  /** The reported round trip time. */
  roundTripMs: number;
  /** Whether packets get through. */
  readonly isUp: () => boolean;
  /** Delivers the packets of a channel, at once or when the path is up again. */
  readonly pass: (packets: () => void) => void;
}

type Description = { readonly type: "offer" | "answer"; readonly sdp: string };

/**
 * The subset of RTCPeerConnection that core uses, with the browser's rules for descriptions: states, implicit
 * rollback, candidates after a remote description, `negotiationneeded` when stable. A FakeNetwork joins two of them.
 */
export class FakePeerConnection extends EventTarget {
  readonly id = randomUuid();
  readonly configuration: RTCConfiguration;
  signalingState: RTCSignalingState = "stable";
  iceConnectionState: RTCIceConnectionState = "new";
  connectionState: RTCPeerConnectionState = "new";
  localDescription: Description | null = null;
  remoteDescription: Description | null = null;
  readonly channels: FakeDataChannel[] = [];
  readonly transceivers: FakeTransceiver[] = [];
  /** Additional statistics besides the connection and its channels. */
  readonly moreStats: object[] = [];
  readonly #through: FakePath;
  readonly #settled: (connection: FakePeerConnection) => void;
  #stableLocal: Description | null = null;
  #generation = 1;
  #remoteCandidates = 0;
  #needsOffer = false;
  /** The transceivers created by our pending offer. */
  #offered: FakeTransceiver[] = [];
  #offerSections: readonly Section[] = [];
  #other: FakePeerConnection | null = null;
  #path: string | null = null;
  readonly #opening: FakeDataChannel[] = [];

  constructor(
    configuration: RTCConfiguration,
    path: FakePath,
    settled: (connection: FakePeerConnection) => void,
  ) {
    super();
    this.#through = path;
    this.configuration = configuration;
    this.#settled = settled;
  }

  get #fingerprintLine(): string {
    const [fingerprint] = this.configuration.certificates?.[0]?.getFingerprints() ?? [];
    return fingerprint ? `a=fingerprint:${fingerprint.algorithm} ${fingerprint.value}\r\n` : "";
  }

  get remoteId(): string | null {
    return ufragOf(this.remoteDescription)?.id ?? null;
  }

  async setLocalDescription(): Promise<void> {
    this.#assertOpen();
    await Promise.resolve();
    this.#assertOpen();
    const type = this.signalingState === "have-remote-offer" ? "answer" : "offer";
    if (type === "offer") this.#placeTransceivers();
    const sections = this.transceivers
      .flatMap((transceiver) => transceiver.describe(type === "answer" ? this.#offerSections : null))
      .join("");
    if (type === "answer") this.#settleTransceivers(this.#offerSections);
    const sdp = `v=0\r\no=- 1 ${this.#generation} IN IP4 0.0.0.0\r\ns=-\r\nt=0 0\r\na=ice-ufrag:${this.id}/${this.#generation}\r\n${this.#fingerprintLine}${sections}`;
    this.localDescription = { type, sdp };
    this.#setSignalingState(type === "offer" ? "have-local-offer" : "stable");
    this.#later(() => this.#dispatchCandidate());
  }

  async setRemoteDescription(description: RTCSessionDescriptionInit): Promise<void> {
    this.#assertOpen();
    await Promise.resolve();
    this.#assertOpen();
    const { type, sdp = "" } = description;
    if (type === "answer") {
      if (this.signalingState !== "have-local-offer") throw new DOMException("no offer", "InvalidStateError");
      this.remoteDescription = { type, sdp };
      this.#settleTransceivers(sectionsOf(sdp));
      this.#setSignalingState("stable");
    } else if (type === "offer") {
      if (this.signalingState === "have-local-offer") {
        this.localDescription = this.#stableLocal;
        for (const transceiver of this.#offered.splice(0)) transceiver.mid = null;
        this.#needsOffer = true;
      }
      const known = ufragOf(this.remoteDescription);
      const offered = ufragOf({ type, sdp });
      if (known !== null && known.id === offered?.id && known.generation !== offered.generation)
        this.#generation += 1;
      this.remoteDescription = { type, sdp };
      this.#offerSections = sectionsOf(sdp);
      for (const { mid, kind } of this.#offerSections)
        if (!this.transceivers.some((transceiver) => transceiver.mid === mid))
          this.transceivers.push(new FakeTransceiver(kind, "recvonly", () => this.#wantOffer(), mid));
      this.#setSignalingState("have-remote-offer");
    } else throw new TypeError(type);
  }

  async addIceCandidate(candidate: RTCIceCandidateInit): Promise<void> {
    this.#assertOpen();
    if (this.remoteDescription === null) throw new DOMException("no description", "InvalidStateError");
    if (candidate.usernameFragment !== this.remoteId)
      throw new DOMException("unknown ufrag", "OperationError");
    this.#remoteCandidates += 1;
    this.#settled(this);
  }

  createDataChannel(label: string, options: RTCDataChannelInit = {}): FakeDataChannel {
    this.#assertOpen();
    const { ordered = true, protocol = "" } = options;
    const channel = this.#newChannel({ label, ordered, protocol });
    this.channels.push(channel);
    this.#opening.push(channel);
    if (this.#other !== null) this.#later(() => this.#openChannels());
    else if (this.channels.length === 1) this.#wantOffer();
    return channel;
  }

  addTransceiver(track: MediaStreamTrack, init: RTCRtpTransceiverInit = {}): FakeTransceiver {
    this.#assertOpen();
    const kind = track.kind === "audio" ? "audio" : "video";
    const transceiver = new FakeTransceiver(kind, init.direction ?? "sendrecv", () => this.#wantOffer());
    transceiver.sender.track = track;
    transceiver.sender.encodings = init.sendEncodings ?? [{}];
    this.transceivers.push(transceiver);
    this.#wantOffer();
    return transceiver;
  }

  getTransceivers(): readonly FakeTransceiver[] {
    return this.transceivers;
  }

  restartIce(): void {
    this.#generation += 1;
    this.#wantOffer();
  }

  async getStats(): Promise<RTCStatsReport> {
    const entries = [
      { id: "t", type: "transport", selectedCandidatePairId: "p" },
      {
        id: "p",
        type: "candidate-pair",
        localCandidateId: "l",
        remoteCandidateId: "r",
        currentRoundTripTime: this.#through.roundTripMs / 1_000,
      },
      { id: "l", type: "local-candidate", candidateType: "host" },
      { id: "r", type: "remote-candidate", candidateType: "host" },
      ...this.channels.map(({ sentBytes, receivedBytes }, n) => ({
        id: `d${n}`,
        type: "data-channel",
        bytesSent: sentBytes,
        bytesReceived: receivedBytes,
      })),
      ...this.moreStats.map((entry, n) => ({ id: `m${n}`, ...entry })),
    ];
    return new Map(this.#other === null ? [] : entries.map((entry) => [entry.id, entry]));
  }

  close(): void {
    if (this.signalingState === "closed") return;
    this.signalingState = "closed";
    this.iceConnectionState = "closed";
    this.connectionState = "closed";
    const other = this.#other;
    this.#other = null;
    for (const channel of this.channels) channel.drop();
    if (this.#through.isUp()) other?.abandoned();
  }

  /** The process behind this connection dies: the other side notices only silence, not a close. */
  vanish(): void {
    const other = this.#other;
    this.#other = null;
    this.close();
    other?.setIce("connected", "disconnected");
  }

  /** Changes the ICE state from `from` to `to`; no effect in other states. */
  setIce(from: RTCIceConnectionState, to: RTCIceConnectionState): void {
    if (this.iceConnectionState !== from) return;
    this.iceConnectionState = to;
    this.connectionState = to === "completed" || to === "checking" ? "connected" : to;
    this.dispatchEvent(new Event("iceconnectionstatechange"));
    this.dispatchEvent(new Event("connectionstatechange"));
  }

  /** Whether this side has everything to reach the other's current ICE generation. */
  meets(other: FakePeerConnection): boolean {
    const remote = ufragOf(this.remoteDescription);
    const local = ufragOf(other.localDescription);
    return (
      this.signalingState === "stable" &&
      this.#remoteCandidates > 0 &&
      remote?.id === local?.id &&
      remote?.generation === local?.generation
    );
  }

  /** The path to the other side works. */
  join(other: FakePeerConnection): void {
    if (this.signalingState === "closed") return;
    const path = `${this.localDescription?.sdp} ${this.remoteDescription?.sdp}`;
    // A path that was given up needs new credentials.
    if (this.iceConnectionState === "failed" && path === this.#path) return;
    this.#path = path;
    this.#other = other;
    for (const state of ["new", "disconnected", "failed"] as const) this.setIce(state, "connected");
    this.#later(() => this.#openChannels());
  }

  /** The other side closed: its goodbye closes the channels here. */
  abandoned(): void {
    this.#other = null;
    this.#later(() => {
      for (const channel of this.channels) channel.drop();
    });
  }

  #newChannel(options: Pick<FakeChannelOptions, "label" | "ordered" | "protocol">): FakeDataChannel {
    const { channelOptions, pass } = this.#through;
    const { later = setImmediate } = channelOptions;
    return new FakeDataChannel({
      ...channelOptions,
      ...options,
      later: (turn) => void later(() => pass(turn)),
    });
  }

  #openChannels(): void {
    const other = this.#other;
    if (other === null || other.signalingState === "closed") return;
    for (const channel of this.#opening.splice(0)) {
      const { label, ordered, protocol } = channel;
      const twin = this.#newChannel({ label, ordered, protocol });
      channel.connect(twin);
      twin.connect(channel);
      other.channels.push(twin);
      twin.announce(() => other.dispatchEvent(Object.assign(new Event("datachannel"), { channel: twin })));
      channel.open();
    }
  }

  #wantOffer(): void {
    this.#needsOffer = true;
    this.#later(() => {
      if (this.#needsOffer && this.signalingState === "stable")
        this.dispatchEvent(new Event("negotiationneeded"));
    });
  }

  #placeTransceivers(): void {
    this.#needsOffer = false;
    this.#offered = this.transceivers.filter(({ mid }) => mid === null);
    for (const transceiver of this.#offered) {
      const taken = this.transceivers.flatMap(({ mid }) => (mid === null ? [] : [Number(mid)]));
      transceiver.mid = String(Math.max(-1, ...taken) + 1);
    }
  }

  /** @param sections the media sections of the other side. */
  #settleTransceivers(sections: readonly Section[]): void {
    this.#offered = [];
    for (const transceiver of this.transceivers) {
      const isNew = transceiver.settle(sections);
      if (isNew) this.dispatchEvent(Object.assign(new Event("track"), { transceiver }));
    }
  }

  #setSignalingState(state: RTCSignalingState): void {
    const isChange = state !== this.signalingState;
    this.signalingState = state;
    if (isChange) this.dispatchEvent(new Event("signalingstatechange"));
    if (state !== "stable") return;
    this.#stableLocal = this.localDescription;
    this.#settled(this);
    if (this.#needsOffer) this.#wantOffer();
  }

  #dispatchCandidate(): void {
    const candidate = {
      candidate: "candidate:1 1 UDP 1 192.0.2.1 9 typ host",
      sdpMid: "0",
      sdpMLineIndex: 0,
      usernameFragment: this.id,
    };
    this.dispatchEvent(Object.assign(new Event("icecandidate"), { candidate }));
    this.dispatchEvent(Object.assign(new Event("icecandidate"), { candidate: null }));
  }

  #later(action: () => void): void {
    setImmediate(() => {
      if (this.signalingState !== "closed") action();
    });
  }

  #assertOpen(): void {
    if (this.signalingState === "closed") throw new DOMException("closed", "InvalidStateError");
  }
}

function ufragOf(description: Description | null): { id: string; generation: string } | null {
  const match = /^a=ice-ufrag:([^/\r]+)\/(\d+)/m.exec(description?.sdp ?? "");
  return match?.[1] !== undefined && match[2] !== undefined ? { id: match[1], generation: match[2] } : null;
}
