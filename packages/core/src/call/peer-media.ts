import {
  type ClientId,
  isSound,
  limits,
  type MediaSource,
  type PeerMessageOf,
  type SourceId,
  TokenBucket,
  truncated,
  type ViewSize,
} from "@warren/protocol";
import { answerOf, statsOf } from "../ice/browser-answer.ts";
import type { CancelTimer, Clock } from "../ports/clock.ts";
import type { OutgoingMessage } from "../session/message-channel.ts";
import { Emitting } from "../shared/emitter.ts";
import {
  type BandwidthState,
  type Ceilings,
  cheaperCodec,
  encodingOf,
  initialBandwidth,
  nextBandwidth,
  type PictureSize,
  presets,
  type Reception,
  type ReceptionSample,
  receptionOf,
  type View,
} from "./call-policy.ts";
import type { LocalSource } from "./call-state.ts";
import { readCallStats } from "./call-stats.ts";
import { type FilePace, firstPace, nextPace } from "./file-pace.ts";

/** The shortest time between two reports of view sizes. */
const viewSizesEveryMs = 500;
/** A peer that reports no view sizes in time is sent the smallest picture. */
const answerWithinMs = 5_000;
/** How long a track may be open before a list names it. */
const announceWithinMs = 10_000;
/**
 * How long a section stays turned off. Senders reuse sections, so one turned off for good would hide whatever an honest but
 * slow peer shares next. Each time counts as a violation, and a peer with several of them is refused.
 */
const turnedOffMs = 30_000;
/** The most sections of both sides together: sections of ended sources are reused. */
const sectionsMax = 4 * limits.mediaSources;
/** Long enough for frames of a slow camera to arrive between two readings. */
const receptionEveryMs = 4_000;
/**
 * The limit for unwatched media: after `graceMs`, in which the sender has to stop, at most this much from all sections
 * together in each window. Browsers decode all received media, watched or not, and a picture that hardly changes has
 * few bytes, so pictures count too.
 */
const unwatchedLimit = { graceMs: 5_000, windowMs: 10_000, bytes: 128 * 1024, frames: 100 };
/** How many lists of each kind are taken. */
const listRate = { burst: 20, perSecond: 4 };

/** A list that replaces the last one of its kind. */
type ListMessage = PeerMessageOf<"media-sources" | "view-sizes">;

/** The dependencies of the media of one peer. */
export interface PeerMediaDeps {
  readonly peerId: ClientId;
  readonly connection: RTCPeerConnection;
  readonly clock: Clock;
  /** Video codecs, best first; if empty, the browser's order. */
  readonly codecs: readonly RTCRtpCodec[];
  readonly ceilings: () => Ceilings;
  readonly sources: () => readonly LocalSource[];
  readonly send: (message: OutgoingMessage) => void;
  /** The size at which we show a source of theirs; null if we do not. */
  readonly sizeOf: (source: MediaSource) => PictureSize | null;
}

/** The events of a {@link PeerMedia}. */
export type PeerMediaEvents = {
  /** The sources of the peer, or its view sizes of ours, have changed. */
  change: [];
  /** The peer sent something that no honest client sends. */
  violation: [issue: string];
};

interface OwnTrack {
  readonly transceiver: RTCRtpTransceiver;
  track: MediaStreamTrack;
  applied: string;
  isApplying: boolean;
}

interface ReceptionState {
  readonly sample: ReceptionSample;
  readonly reception: Reception;
}

/** An amount of media: bytes received and pictures decoded. */
interface MediaAmount {
  readonly bytes: number;
  readonly frames: number;
}

/** The media on one connection to one peer: our tracks, theirs, and the size at which each is shown. */
export class PeerMedia extends Emitting<PeerMediaEvents> {
  readonly #deps: PeerMediaDeps;
  readonly #listening = new AbortController();
  readonly #own = new Map<SourceId, OwnTrack>();
  /** Our sections whose source has ended. */
  readonly #idle: RTCRtpTransceiver[] = [];
  #announced: readonly MediaSource[] | null = null;
  #lastSeq = -1;
  #sentSeq = 0;
  #sentSources = "[]";
  #sentSizes = "[]";
  #sentSizesAtMs = Number.NEGATIVE_INFINITY;
  #views: ReadonlyMap<SourceId, PictureSize> | null = null;
  readonly #connectedAtMs: number;
  #bandwidth: BandwidthState = initialBandwidth;
  #pace: FilePace | null = null;
  #sent: { readonly bytes: number; readonly atMs: number } | null = null;
  readonly #receptions = new Map<SourceId, ReceptionState>();
  /** Sections received while unwatched, and the bytes and pictures at the last check; null in the grace period. */
  readonly #unwatched = new Map<
    string,
    { readonly countsFromMs: number; readonly counted: MediaAmount | null }
  >();
  /** The amount received in all of these together in this window. */
  #unwatchedTotal: MediaAmount & { readonly sinceMs: number } = { sinceMs: 0, bytes: 0, frames: 0 };
  readonly #timers = new Set<CancelTimer>();
  /** Tracks that opened and that no list has named since, with the end of their time. */
  readonly #unannounced = new Map<RTCRtpTransceiver, CancelTimer>();
  #cancelSizes: CancelTimer | null = null;
  readonly #budgets: Readonly<Record<ListMessage["type"], TokenBucket>>;
  /** The latest list of each kind, until it is taken. */
  readonly #latest = new Map<ListMessage["type"], ListMessage>();
  /** The kinds whose next list may not be taken yet. */
  readonly #waiting = new Set<ListMessage["type"]>();
  #violatedAtMs = Number.NEGATIVE_INFINITY;

  constructor(deps: PeerMediaDeps) {
    super();
    this.#deps = deps;
    const { connection, clock } = deps;
    this.#connectedAtMs = clock.elapsedMs();
    this.#budgets = {
      "media-sources": new TokenBucket(listRate, clock),
      "view-sizes": new TokenBucket(listRate, clock),
    };
    const listening = { signal: this.#listening.signal };
    connection.addEventListener("track", ({ transceiver }) => this.#noteTrack(transceiver), listening);
    connection.addEventListener("signalingstatechange", () => this.#negotiated(), listening);
    for (const transceiver of connection.getTransceivers()) this.#noteTrack(transceiver);
    this.#after(answerWithinMs, () => this.#applyAll());
    this.sync();
  }

  /** The peer's sources, in its order; null before its first list. */
  get announced(): readonly MediaSource[] | null {
    return this.#announced;
  }

  /** The limit for files beside watched sources, in bytes per second; null while none is watched. */
  get filePace(): number | null {
    return this.#pace?.bytesPerSecond ?? null;
  }

  /** The track of a source of theirs; null until it arrives. */
  trackOf({ mid, kind }: MediaSource): MediaStreamTrack | null {
    return this.#receiverOf(mid, isSound(kind) ? "audio" : "video")?.track ?? null;
  }

  receptionOf(id: SourceId): Reception {
    return this.#receptions.get(id)?.reception ?? "good";
  }

  /** The current level of a sound of theirs, 0 to 1. */
  levelOf({ mid }: MediaSource): number {
    const receiver = this.#receiverOf(mid, "audio");
    const [last] = receiver?.getSynchronizationSources?.() ?? [];
    return last?.audioLevel ?? 0;
  }

  /** Whether they watch or listen to a source of ours. */
  watches(id: SourceId): boolean {
    return isShown(this.#views?.get(id));
  }

  /** Adds the tracks of our current sources to the connection, and removes all others. */
  sync(): void {
    const sources = this.#deps.sources();
    for (const [id, own] of this.#own) if (!sources.some((source) => source.id === id)) this.#retire(id, own);
    for (const source of sources) {
      const own = this.#own.get(source.id);
      if (own === undefined) this.#add(source);
      else if (own.track !== source.track) {
        own.track = source.track;
        this.#setTrack(own.transceiver, source.track);
      }
    }
    this.#applyAll();
    this.#announce();
  }

  /** Call after the sizes at which we show their sources changed. */
  viewsChanged(): void {
    if (this.#cancelSizes !== null) return;
    const waitMs = this.#sentSizesAtMs + viewSizesEveryMs - this.#deps.clock.elapsedMs();
    if (waitMs <= 0) this.#sendSizes();
    else {
      this.#cancelSizes = this.#deps.clock.after(waitMs, () => {
        this.#cancelSizes = null;
        this.#sendSizes();
      });
    }
  }

  receive(message: ListMessage): void {
    if (message.type === "media-sources") {
      if (message.seq <= this.#lastSeq) {
        this.#violated("media-sources out of order");
        return;
      }
      this.#lastSeq = message.seq;
    }
    this.#latest.set(message.type, message);
    this.#takeLatest(message.type);
  }

  /** Only the latest list counts, so those that come faster than they may replace each other while they wait. */
  #takeLatest(type: ListMessage["type"]): void {
    const message = this.#latest.get(type);
    if (message === undefined || this.#waiting.has(type)) return;
    if (!this.#budgets[type].take()) {
      this.#waiting.add(type);
      this.#after(this.#budgets[type].waitMs(), () => {
        this.#waiting.delete(type);
        this.#takeLatest(type);
      });
      return;
    }
    this.#latest.delete(type);
    if (message.type === "view-sizes") this.#takeSizes(message);
    else this.#takeSources(message);
  }

  #takeSources({ sources }: PeerMessageOf<"media-sources">): void {
    this.#announced = sources.filter((source) => this.#hasSection(source));
    // A sender names a section only once both sides have negotiated it.
    if (this.#announced.length < sources.length) this.#violated("source without a section");
    for (const opened of this.#unannounced.keys()) if (this.#isAnnounced(opened)) this.#endWait(opened);
    this.#showReceivers();
    this.emit("change");
    // Every list is answered, so that the peer need not guess whether we watch.
    this.#sentSizes = "";
    this.viewsChanged();
  }

  /**
   * Reads the connection's statistics and adapts to them.
   * @returns the sources whose encoder the processor limits.
   */
  async measure(): Promise<readonly SourceId[]> {
    const isWatched = [...this.#own.keys()].some((id) => this.watches(id));
    const isWatching = this.#sentSizes !== "[]" && this.#sentSizes !== "";
    const isUsed = isWatched || isWatching;
    if (!isUsed) {
      this.#pace = null;
      this.#receptions.clear();
    }
    const isReceiving = this.#deps.connection.getTransceivers().some(receives);
    if (!isUsed && !isReceiving) return [];
    const stats = readCallStats(await statsOf(this.#deps.connection, this.#deps.clock));
    const atMs = this.#deps.clock.elapsedMs();
    this.#stopUnwatched(stats.receivers, atMs);
    if (!isUsed) return [];
    this.#measureReception(stats.receivers, atMs);
    const sent = this.#deps.sources().flatMap((source) => {
      const mid = this.#own.get(source.id)?.transceiver.mid;
      const sample = mid ? stats.senders.get(mid) : undefined;
      const active = this.watches(source.id) && !source.muted;
      return sample ? [{ id: source.id, kind: source.kind, active, limitedBy: sample.limitedBy }] : [];
    });
    const isShort = sent.some(({ active, limitedBy }) => active && limitedBy === "bandwidth");
    const sentBytesPerSecond = this.#sentRate(stats.sentBytes, atMs);
    this.#pace = nextPace(this.#pace ?? firstPace, { ...stats, isShort, sentBytesPerSecond });
    this.#bandwidth = nextBandwidth(this.#bandwidth, { atMs, senders: sent });
    this.#applyAll();
    this.#announce();
    return sent.filter(({ active, limitedBy }) => active && limitedBy === "cpu").map(({ id }) => id);
  }

  close(): void {
    this.#listening.abort();
    for (const cancel of this.#timers) cancel();
    this.#cancelSizes?.();
    for (const [id, own] of this.#own) this.#retire(id, own);
  }

  #add(source: LocalSource): void {
    const kind = isSound(source.kind) ? "audio" : "video";
    const { connection, codecs } = this.#deps;
    const index = this.#idle.findIndex(
      ({ direction, receiver }) => direction !== "stopped" && receiver.track.kind === kind,
    );
    const [known] = index < 0 ? [] : this.#idle.splice(index, 1);
    let transceiver = known;
    if (transceiver === undefined) {
      // Nothing is encoded before the peer reports that it watches.
      const sendEncodings = [{ ...this.#encodingOf(source), active: false }];
      transceiver = connection.addTransceiver(source.track, { direction: "sendonly", sendEncodings });
      if (kind === "video" && codecs.length > 0) {
        try {
          transceiver.setCodecPreferences?.([...codecs]);
        } catch {
          // A browser that rejects this order uses its own.
        }
      }
    } else {
      this.#setTrack(transceiver, source.track);
      this.#setDirection(transceiver, "sendonly");
    }
    this.#own.set(source.id, { transceiver, track: source.track, applied: "", isApplying: false });
  }

  #setTrack({ sender }: RTCRtpTransceiver, track: MediaStreamTrack | null): void {
    answerOf(this.#deps.clock, "replaceTrack", () => sender.replaceTrack(track)).catch(() => {}); // the connection has closed
  }

  #retire(id: SourceId, { transceiver }: OwnTrack): void {
    this.#own.delete(id);
    if (this.#deps.connection.signalingState === "closed") return;
    this.#setTrack(transceiver, null);
    this.#setDirection(transceiver, "inactive");
    this.#idle.push(transceiver);
  }

  #negotiated(): void {
    if (this.#deps.connection.signalingState !== "stable") return;
    if (this.#deps.connection.getTransceivers().length > sectionsMax) this.#violated("too many tracks");
    this.#applyAll();
    this.#announce();
    this.#showReceivers();
    this.emit("change");
  }

  /** Deferred until the other side knows the transceivers: before, a collision may change their mids. */
  #announce(): void {
    if (this.#deps.connection.signalingState !== "stable") return;
    const sources = this.#deps.sources().flatMap((source): MediaSource[] => {
      const transceiver = this.#own.get(source.id)?.transceiver;
      const direction = transceiver?.currentDirection;
      const mid = transceiver?.mid;
      if (!mid || (direction !== "sendonly" && direction !== "sendrecv")) return [];
      const { id, kind, label, width, height, screen } = source;
      return [
        {
          ...{ id, kind, mid },
          ...{ label: truncated(label, limits.sourceLabelLength), width, height },
          ...(source.muted || source.lost ? { muted: true as const } : {}),
          ...(screen === null ? {} : { screen }),
        },
      ];
    });
    const text = JSON.stringify(sources);
    if (text === this.#sentSources) return;
    if (this.#send({ type: "media-sources", seq: this.#sentSeq++, sources })) this.#sentSources = text;
  }

  #sendSizes(): void {
    const sizes = (this.#announced ?? []).flatMap((source): ViewSize[] => {
      const size = this.#deps.sizeOf(source);
      if (size === null) return [];
      const side = (length: number) => Math.min(limits.pictureSide, Math.max(0, Math.ceil(length)));
      return [{ id: source.id, width: side(size.width), height: side(size.height) }];
    });
    const text = JSON.stringify(sizes);
    if (text === this.#sentSizes) return;
    this.#sentSizesAtMs = this.#deps.clock.elapsedMs();
    if (this.#send({ type: "view-sizes", sizes })) this.#sentSizes = text;
  }

  /** @returns whether it was sent; after a closed connection, the next one sends again. */
  #send(message: OutgoingMessage): boolean {
    try {
      this.#deps.send(message);
      return true;
    } catch {
      return false;
    }
  }

  #takeSizes({ sizes }: PeerMessageOf<"view-sizes">): void {
    this.#views = new Map(sizes.map(({ id, width, height }) => [id, { width, height }]));
    this.#applyAll();
    this.emit("change");
  }

  #applyAll(): void {
    for (const source of this.#deps.sources()) this.#apply(source);
  }

  #encodingOf(source: LocalSource) {
    return encodingOf(
      source,
      this.#viewOf(source.id),
      this.#bandwidth.degradationSteps,
      this.#deps.ceilings(),
    );
  }

  #viewOf(id: SourceId): View {
    if (this.#views !== null) return this.#views.get(id) ?? "none";
    return this.#deps.clock.elapsedMs() - this.#connectedAtMs < answerWithinMs ? "none" : "unknown";
  }

  #apply(source: LocalSource): void {
    const own = this.#own.get(source.id);
    if (own === undefined || own.isApplying) return;
    const encoding = this.#encodingOf(source);
    const preset = source.preset === null ? null : presets[source.preset];
    const text = JSON.stringify([encoding, preset?.degradation, source.isSteppedDown]);
    if (text === own.applied) return;
    const { sender } = own.transceiver;
    const parameters = sender.getParameters();
    const [first] = parameters.encodings ?? [];
    if (first === undefined) return; // not negotiated yet
    const cheaper = source.isSteppedDown ? cheaperCodec(parameters.codecs) : null;
    if (cheaper !== null) Object.assign(first, { codec: codecOf(cheaper) });
    else Reflect.deleteProperty(first, "codec");
    Object.assign(first, encoding, { priority: "high", networkPriority: "high" });
    // Ignored by browsers that do not know it.
    if (preset !== null) parameters.degradationPreference = preset.degradation;
    own.isApplying = true;
    own.applied = text;
    answerOf(this.#deps.clock, "setParameters", () => sender.setParameters(parameters))
      .catch(() => {
        own.applied = ""; // renegotiated meanwhile: applied again with the next statistics
      })
      .finally(() => {
        own.isApplying = false;
        const now = this.#deps.sources().find(({ id }) => id === source.id);
        if (now !== undefined && own.applied === text) this.#apply(now);
      });
  }

  #hasSection({ mid, kind }: MediaSource): boolean {
    const trackKind = isSound(kind) ? "audio" : "video";
    return this.#deps.connection
      .getTransceivers()
      .some((one) => one.mid === mid && one.receiver.track.kind === trackKind);
  }

  #receiverOf(mid: string, kind: "audio" | "video"): RTCRtpReceiver | null {
    const transceiver = this.#deps.connection.getTransceivers().find((one) => one.mid === mid);
    const isOfKind = transceiver && receives(transceiver) && transceiver.receiver.track.kind === kind;
    return isOfKind ? transceiver.receiver : null;
  }

  /** A screen should show changes at once; a camera should be smooth. */
  #showReceivers(): void {
    for (const { kind, mid } of this.#announced ?? []) {
      const receiver = kind === "screen" ? this.#receiverOf(mid, "video") : null;
      if (receiver !== null && "jitterBufferTarget" in receiver) receiver.jitterBufferTarget = 0;
    }
  }

  #noteTrack(transceiver: RTCRtpTransceiver): void {
    // One that opens again has its whole time again.
    this.#endWait(transceiver);
    if (!this.#isAnnounced(transceiver)) {
      const cancel = this.#after(announceWithinMs, () => {
        this.#unannounced.delete(transceiver);
        if (receives(transceiver)) this.#turnOff([transceiver], "unannounced track");
      });
      this.#unannounced.set(transceiver, cancel);
    }
    this.#showReceivers();
    this.emit("change");
  }

  /** A track that was named may end at any time, and is received until both sides have negotiated that. */
  #endWait(transceiver: RTCRtpTransceiver): void {
    this.#unannounced.get(transceiver)?.();
    this.#unannounced.delete(transceiver);
  }

  #isAnnounced({ mid }: RTCRtpTransceiver): boolean {
    return this.#announced?.some((source) => source.mid === mid) === true;
  }

  /** An honest sender stops unwatched sources; the sections of a dishonest one are turned off. */
  #stopUnwatched(receivers: ReturnType<typeof readCallStats>["receivers"], atMs: number): void {
    const { graceMs, windowMs, ...allowed } = unwatchedLimit;
    if (atMs - this.#unwatchedTotal.sinceMs >= windowMs)
      this.#unwatchedTotal = { sinceMs: atMs, bytes: 0, frames: 0 };
    const flowing: RTCRtpTransceiver[] = [];
    for (const transceiver of this.#deps.connection.getTransceivers()) {
      const { mid } = transceiver;
      const source = this.#announced?.find((one) => one.mid === mid);
      const isWatched = source !== undefined && this.#deps.sizeOf(source) !== null;
      if (mid === null) continue;
      const stats = receivers.get(mid);
      if (stats === undefined || isWatched || !receives(transceiver)) {
        this.#unwatched.delete(mid);
        continue;
      }
      const { countsFromMs, counted } = this.#unwatched.get(mid) ?? {
        countsFromMs: atMs + graceMs,
        counted: null,
      };
      const now = { bytes: stats.bytesReceived, frames: stats.framesDecoded };
      this.#unwatched.set(mid, { countsFromMs, counted: atMs < countsFromMs ? null : now });
      if (counted === null || now.bytes === counted.bytes) continue;
      flowing.push(transceiver);
      const { sinceMs, bytes, frames } = this.#unwatchedTotal;
      this.#unwatchedTotal = {
        sinceMs,
        bytes: bytes + now.bytes - counted.bytes,
        frames: frames + now.frames - counted.frames,
      };
    }
    if (this.#unwatchedTotal.bytes <= allowed.bytes && this.#unwatchedTotal.frames <= allowed.frames) return;
    this.#unwatchedTotal = { sinceMs: atMs, bytes: 0, frames: 0 };
    this.#turnOff(flowing, "unwatched media");
  }

  #turnOff(transceivers: readonly RTCRtpTransceiver[], issue: string): void {
    for (const transceiver of transceivers) {
      this.#setDirection(transceiver, "inactive");
      this.#after(turnedOffMs, () => this.#setDirection(transceiver, "recvonly"));
    }
    this.#violated(issue);
  }

  /** A section that the peer has ended for good has no direction any more: setting one throws. */
  #setDirection(transceiver: RTCRtpTransceiver, direction: RTCRtpTransceiverDirection): void {
    if (transceiver.direction !== "stopped") transceiver.direction = direction;
  }

  /** The bytes sent per second since the last call; null at the first call, and if not reported. */
  #sentRate(bytes: number | null, atMs: number): number | null {
    const last = this.#sent;
    this.#sent = bytes === null ? null : { bytes, atMs };
    if (bytes === null || last === null || atMs <= last.atMs) return null;
    return (1_000 * Math.max(0, bytes - last.bytes)) / (atMs - last.atMs);
  }

  #measureReception(receivers: ReturnType<typeof readCallStats>["receivers"], atMs: number): void {
    let isChanged = false;
    for (const source of this.#announced ?? []) {
      const counted = receivers.get(source.mid);
      const isWatched = this.#deps.sizeOf(source) !== null && source.muted !== true;
      if (counted === undefined || !isWatched) {
        isChanged = this.#receptions.delete(source.id) || isChanged;
        continue;
      }
      const before = this.#receptions.get(source.id);
      const sample = { ...counted, atMs };
      if (before === undefined) this.#receptions.set(source.id, { sample, reception: "good" });
      if (before === undefined || atMs - before.sample.atMs < receptionEveryMs) continue;
      const reception = receptionOf(before.sample, sample, source.kind !== "camera");
      this.#receptions.set(source.id, { sample, reception });
      isChanged ||= reception !== before.reception;
    }
    if (isChanged) this.emit("change");
  }

  /** Counts a flood as one violation per second, so that an honest burst does not get a peer refused. */
  #violated(issue: string): void {
    const now = this.#deps.clock.elapsedMs();
    if (now - this.#violatedAtMs < 1_000) return;
    this.#violatedAtMs = now;
    this.emit("violation", issue);
  }

  #after(delayMs: number, action: () => void): CancelTimer {
    const cancel = this.#deps.clock.after(delayMs, () => {
      this.#timers.delete(cancel);
      action();
    });
    this.#timers.add(cancel);
    return () => {
      this.#timers.delete(cancel);
      cancel();
    };
  }
}

/** Without its payload type on this connection, which `setParameters` rejects. */
function codecOf({ mimeType, clockRate, sdpFmtpLine }: RTCRtpCodec): RTCRtpCodec {
  return { mimeType, clockRate, ...(sdpFmtpLine === undefined ? {} : { sdpFmtpLine }) };
}

function receives({ currentDirection }: RTCRtpTransceiver): boolean {
  return /recv/.test(currentDirection ?? "");
}

function isShown(size: PictureSize | undefined): boolean {
  return size !== undefined && size.width > 0 && size.height > 0;
}
