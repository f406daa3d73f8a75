import {
  type ClientId,
  isSound,
  limits,
  type MediaSource,
  type PeerMessageOf,
  type SourceId,
  type SourceKind,
  WarrenError,
} from "@warren/protocol";
import type { Clock } from "../ports/clock.ts";
import type { OutgoingMessage } from "../session/message-channel.ts";
import { Emitting } from "../shared/emitter.ts";
import { randomUuid } from "../shared/ids.ts";
import { createStore, type ReadableStore, type WritableStore } from "../shared/store.ts";
import { type Ceilings, cameraSize, isProcessorBusy, type PictureSize, type Preset } from "./call-policy.ts";
import {
  type CallEvents,
  type CallState,
  isTakingPart,
  isWithOthers,
  type LocalSource,
  type RemoteSource,
  type SourceKey,
  sourceKeyOf,
} from "./call-state.ts";
import { PeerMedia } from "./peer-media.ts";
import type { Ringing } from "./ringing.ts";

const measureEveryMs = 1_000;
const listenEveryMs = 200;
/** The level of speech into a microphone; quieter is background noise. */
const speechLevel = 0.02;
/** A silence shorter than this does not end speech. */
const speechHoldMs = 800;
/** How long a reconnected peer's sources stay visible until it announces them again. */
const returnWithinMs = 5_000;
const cpuSamplesMax = 90;

export { codecPreferences } from "./codec-preferences.ts";

/** The dependencies of a call. */
export interface CallDeps {
  readonly clock: Clock;
  /** The connection to a peer to which messages can be sent; null otherwise. */
  readonly mediaOf: (peerId: ClientId) => RTCPeerConnection | null;
  readonly ringing: Pick<Ringing, "isUnanswered" | "peerStoppedSharing">;
  /** @throws WarrenError if the peer is unreachable */
  readonly send: (to: ClientId, message: OutgoingMessage) => void;
  /** Video codecs, best first; if empty, the browser's order. */
  readonly codecs: readonly RTCRtpCodec[];
  readonly ceilings: () => Ceilings;
}

/** A source to share. */
export interface NewSource {
  readonly kind: SourceKind;
  readonly track: MediaStreamTrack;
  readonly preset?: Preset;
  /** The screen a sound belongs to. */
  readonly screen?: SourceId;
}

interface CallPeer {
  media: PeerMedia | null;
  /** Its last announced sources, kept while it is unreachable. */
  announced: readonly MediaSource[];
}

/** The user's choices for a source of a peer. */
interface Choice {
  readonly paused: boolean;
  readonly volume: number;
}

const defaultPlayback: Choice = { paused: false, volume: 1 };
/** The size of a played sound, which has none. */
const played: PictureSize = { width: 1, height: 1 };

/**
 * The call of a membership in a room: own sources, sources of peers, and who watches which. It ends with the
 * membership, and then stops all of our tracks.
 */
export class Call extends Emitting<CallEvents> {
  readonly store: ReadableStore<CallState>;
  readonly #store: WritableStore<CallState> = createStore<CallState>({
    local: [],
    audience: null,
    remote: [],
    isAudioEnabled: false,
    isVideoEnabled: false,
    speaking: [],
    sinceMs: null,
  });
  readonly #deps: CallDeps;
  readonly #peers = new Map<ClientId, CallPeer>();
  readonly #choices = new Map<SourceKey, Choice>();
  /** The size at which each view shows a source; the largest counts. */
  readonly #viewers = new Map<SourceKey, Map<object, PictureSize>>();
  readonly #spokenAtMs = new Map<SourceKey, number>();
  readonly #cpu = new Map<SourceId, { readonly atMs: number; readonly limited: boolean }[]>();
  readonly #stopTimers: readonly (() => void)[];
  #isClosed = false;

  constructor(deps: CallDeps) {
    super();
    this.store = this.#store;
    this.#deps = deps;
    this.#stopTimers = [
      deps.clock.every(measureEveryMs, () => void this.#measure()),
      deps.clock.every(listenEveryMs, () => this.#listen()),
    ];
  }

  /** Messages can be sent to a peer, over a new connection. */
  peerReady(peerId: ClientId): void {
    const connection = this.#deps.mediaOf(peerId);
    if (connection === null) return;
    const peer = this.#peers.get(peerId) ?? { media: null, announced: [] };
    this.#peers.set(peerId, peer);
    peer.media?.close();
    const media = new PeerMedia({
      peerId,
      connection,
      clock: this.#deps.clock,
      codecs: this.#deps.codecs,
      ceilings: this.#deps.ceilings,
      sources: () => this.#sourcesFor(peerId),
      send: (message) => this.#deps.send(peerId, message),
      sizeOf: (source) => this.#sizeOf(peerId, source),
    });
    media.on("violation", (issue) => this.emit("violation", peerId, issue));
    media.on("change", () => this.#publish());
    peer.media = media;
    this.#deps.clock.after(returnWithinMs, () => {
      if (peer.media !== media || media.announced !== null) return;
      peer.announced = [];
      this.#publish();
    });
    this.#publish();
  }

  /** Messages can no longer be sent to a peer; its sources return with its connection. */
  peerLost(peerId: ClientId): void {
    const peer = this.#peers.get(peerId);
    if (peer === undefined) return;
    peer.media?.close();
    peer.media = null;
    this.#publish();
  }

  /** A peer is no longer in the room. */
  peerLeft(peerId: ClientId): void {
    this.peerLost(peerId);
    this.#peers.delete(peerId);
    this.#publish();
  }

  receive(from: ClientId, message: PeerMessageOf<"media-sources" | "view-sizes">): void {
    this.#peers.get(from)?.media?.receive(message);
  }

  /**
   * Shares a track with the audience, or without one with all current and later members. The call owns the track and stops it.
   * @throws WarrenError `too-many-sources` if there are eight already, or a camera or microphone of the same kind;
   * `connection-closed` if the call is over. The track is then stopped.
   */
  share({ kind, track, preset, screen }: NewSource): SourceId {
    const { local } = this.#store.getState();
    const isSingle = kind === "camera" || kind === "microphone";
    const hasSuch = isSingle && local.some((source) => source.kind === kind);
    const isFull = hasSuch || local.length >= limits.mediaSources;
    if (this.#isClosed || isFull) {
      track.stop();
      throw new WarrenError(this.#isClosed ? "connection-closed" : "too-many-sources");
    }
    const id = `source-${randomUuid()}`;
    const source: LocalSource = {
      ...{
        id,
        kind,
        track,
        label: track.label,
        muted: false,
        lost: false,
        isSteppedDown: false,
        watchers: [],
      },
      preset: isSound(kind) ? null : (preset ?? (kind === "camera" ? "standard" : "automatic")),
      screen: screen ?? null,
      ...sizeOfTrack(track),
    };
    this.#follow(id, track);
    hint(source);
    this.#setLocal([...local, source]);
    return id;
  }

  /** Stops sharing a source, with the sound of a screen, and releases its device. */
  stop(id: SourceId): void {
    const { local } = this.#store.getState();
    const isEnding = (source: LocalSource) => source.id === id || source.screen === id;
    for (const source of local.filter(isEnding)) {
      source.track.stop();
      this.#cpu.delete(source.id);
    }
    this.#setLocal(local.filter((source) => !isEnding(source)));
  }

  /** Mutes or unmutes one of our sources: no media are sent while muted. */
  setMuted(id: SourceId, muted: boolean): void {
    this.#changeLocal(id, (source) => {
      source.track.enabled = !muted;
      return { ...source, muted };
    });
  }

  /** Replaces the track: by another device, or the same one plugged in again. */
  replaceTrack(id: SourceId, track: MediaStreamTrack): void {
    let isTaken = false;
    this.#changeLocal(id, (source) => {
      isTaken = true;
      source.track.stop();
      track.enabled = !source.muted;
      this.#follow(id, track);
      const next = { ...source, track, label: track.label, lost: false, ...sizeOfTrack(track) };
      hint(next);
      return next;
    });
    if (!isTaken) track.stop();
  }

  /** Changes the preset of a picture. */
  setPreset(id: SourceId, preset: Preset): void {
    this.#cpu.delete(id);
    this.#changeLocal(id, (source) => {
      const next = { ...source, preset, isSteppedDown: false };
      hint(next);
      // A camera without support stays unchanged.
      if (source.kind === "camera") source.track.applyConstraints(cameraSize(preset)).catch(() => {});
      return next;
    });
  }

  /**
   * Reports the displayed size of a source in one view.
   * @param viewer identifies the view; the largest view counts
   * @param size in device pixels; null once the view is gone or hidden
   */
  show(key: SourceKey, viewer: object, size: PictureSize | null): void {
    const viewers = this.#viewers.get(key) ?? new Map<object, PictureSize>();
    if (size === null) viewers.delete(viewer);
    else viewers.set(viewer, size);
    if (viewers.size === 0) this.#viewers.delete(key);
    else this.#viewers.set(key, viewers);
    this.#viewsChanged();
  }

  /** Ends our part: nothing is shared, heard or seen any more. */
  leave(): void {
    for (const { id } of this.#store.getState().local) this.stop(id);
    this.setAudioEnabled(false);
    this.setVideoEnabled(false);
    this.setAudience(null);
  }

  /** Who gets what we share, and whom alone we hear and see; null for everyone in the room. */
  setAudience(audience: readonly ClientId[] | null): void {
    this.#patch({ audience });
    for (const { media } of this.#peers.values()) media?.sync();
    this.callersChanged();
  }

  /** Whether to play the sounds of peers. */
  setAudioEnabled(isAudioEnabled: boolean): void {
    this.#patch({ isAudioEnabled, ...(isAudioEnabled ? {} : { speaking: [] }) });
    this.#viewsChanged();
  }

  /** Somebody calls us, or no longer does. */
  callersChanged(): void {
    this.#viewsChanged();
    this.#publish();
  }

  /** The limit for files to a peer, in bytes per second, while the connection carries media; null for none. */
  filePaceTo(peerId: ClientId): number | null {
    return this.#peers.get(peerId)?.media?.filePace ?? null;
  }

  /** Whether to show the pictures of peers. */
  setVideoEnabled(isVideoEnabled: boolean): void {
    this.#patch({ isVideoEnabled });
    this.#viewsChanged();
  }

  /** Pauses or resumes a source of a peer, which sends no media while paused. */
  setPaused(key: SourceKey, paused: boolean): void {
    this.#choose(key, { paused });
  }

  /** @param volume 0 to 1; at 0 no media are sent to us */
  setVolume(key: SourceKey, volume: number): void {
    this.#choose(key, { volume: Math.min(1, Math.max(0, volume)) });
  }

  /** Stops all tracks, and removes them from the connections. */
  close(): void {
    this.#isClosed = true;
    for (const stop of this.#stopTimers) stop();
    for (const { track } of this.#store.getState().local) track.stop();
    this.#patch({ local: [], remote: [], speaking: [] });
    const peers = [...this.#peers];
    this.#peers.clear();
    for (const [peerId, { media }] of peers) {
      media?.close();
      this.emit("pace", peerId);
    }
    this.clear();
  }

  /** A track ends if its device is unplugged or taken, or by the browser's own bar for a screen. */
  #follow(id: SourceId, track: MediaStreamTrack): void {
    track.addEventListener("ended", () => {
      const source = this.#store.getState().local.find((one) => one.id === id);
      if (source === undefined || source.track !== track) return;
      if (source.kind === "screen" || source.kind === "screen-sound") this.stop(id);
      else this.#changeLocal(id, (one) => ({ ...one, lost: true }));
      this.emit("ended", source);
    });
  }

  #choose(key: SourceKey, change: Partial<Choice>): void {
    this.#choices.set(key, { ...(this.#choices.get(key) ?? defaultPlayback), ...change });
    this.#viewsChanged();
    this.#publish();
  }

  #sourcesFor(peerId: ClientId): readonly LocalSource[] {
    const { local, audience } = this.#store.getState();
    return audience === null || audience.includes(peerId) ? local : [];
  }

  /** Whether a peer may be heard and seen: nobody who calls us is unless we join. */
  #isPresent(peerId: ClientId): boolean {
    const { audience } = this.#store.getState();
    return audience === null ? !this.#deps.ringing.isUnanswered(peerId) : audience.includes(peerId);
  }

  #viewsChanged(): void {
    for (const { media } of this.#peers.values()) media?.viewsChanged();
  }

  #sizeOf(from: ClientId, { id, kind }: MediaSource): PictureSize | null {
    if (!this.#isPresent(from)) return null;
    const key = sourceKeyOf(from, id);
    const { paused, volume } = this.#choices.get(key) ?? defaultPlayback;
    const { isAudioEnabled, isVideoEnabled } = this.#store.getState();
    if (isSound(kind)) return isAudioEnabled && volume > 0 && !paused ? played : null;
    if (!isVideoEnabled || paused) return null;
    let largest: PictureSize | null = null;
    for (const size of this.#viewers.get(key)?.values() ?? [])
      if (largest === null || size.width * size.height > largest.width * largest.height) largest = size;
    return largest;
  }

  #changeLocal(id: SourceId, change: (source: LocalSource) => LocalSource): void {
    const { local } = this.#store.getState();
    if (local.some((source) => source.id === id))
      this.#setLocal(local.map((source) => (source.id === id ? change(source) : source)));
  }

  #setLocal(local: readonly LocalSource[]): void {
    this.#patch({ local });
    for (const { media } of this.#peers.values()) media?.sync();
    this.#publish();
  }

  /** Applies the source lists and view sizes that peers report. */
  #publish(): void {
    for (const [peerId, peer] of this.#peers) {
      peer.announced = peer.media?.announced ?? peer.announced;
      if (peer.announced.length === 0) this.#deps.ringing.peerStoppedSharing(peerId);
    }
    const before = this.#store.getState();
    const remote = [...this.#peers].flatMap(([from, peer]) =>
      this.#isPresent(from)
        ? peer.announced.map((source) => this.#remoteSource(from, source, peer.media))
        : [],
    );
    const local = before.local.map((source) => {
      const watchers = [...this.#peers].flatMap(([id, { media }]) => (media?.watches(source.id) ? [id] : []));
      return sameList(watchers, source.watchers) ? source : { ...source, watchers };
    });
    this.#patch({
      local: sameList(local, before.local) ? before.local : local,
      remote: sameItems(remote, before.remote) ? before.remote : remote,
    });
  }

  #remoteSource(from: ClientId, source: MediaSource, media: PeerMedia | null): RemoteSource {
    const { id, kind, label, width, height } = source;
    const key = sourceKeyOf(from, id);
    return {
      ...{ key, id, from, kind, label, width, height },
      track: media?.trackOf(source) ?? null,
      muted: source.muted === true,
      screen: source.screen === undefined ? null : sourceKeyOf(from, source.screen),
      reception: media?.receptionOf(id) ?? "frozen",
      ...(this.#choices.get(key) ?? defaultPlayback),
    };
  }

  async #measure(): Promise<void> {
    this.#resize();
    const atMs = this.#deps.clock.elapsedMs();
    const limited = new Set<SourceId>();
    for (const [peerId, { media }] of this.#peers) {
      if (media === null) continue;
      const paceBefore = media.filePace;
      // The connection closed meanwhile.
      for (const id of await media.measure().catch(() => [])) limited.add(id);
      if (media.filePace !== paceBefore) this.emit("pace", peerId);
    }
    for (const { id, preset, watchers } of this.#store.getState().local) {
      if (preset === null || watchers.length === 0) this.#cpu.delete(id);
      else this.#noteProcessor(id, { atMs, limited: limited.has(id) });
    }
  }

  #noteProcessor(id: SourceId, sample: { readonly atMs: number; readonly limited: boolean }): void {
    const samples = [...(this.#cpu.get(id) ?? []), sample].slice(-cpuSamplesMax);
    this.#cpu.set(id, samples);
    const source = this.#store.getState().local.find((one) => one.id === id);
    if (source === undefined || source.isSteppedDown || !isProcessorBusy(samples)) return;
    this.#changeLocal(id, (one) => ({ ...one, isSteppedDown: true }));
    this.emit("stepped-down", source);
  }

  /** A shared window may be resized, and a phone rotated. */
  #resize(): void {
    for (const source of this.#store.getState().local) {
      const { width, height } = sizeOfTrack(source.track);
      if (width !== source.width || height !== source.height)
        this.#changeLocal(source.id, (one) => ({ ...one, width, height }));
    }
  }

  #listen(): void {
    if (!this.#store.getState().isAudioEnabled) return;
    const now = this.#deps.clock.elapsedMs();
    for (const [from, { media, announced }] of this.#peers) {
      for (const source of announced) {
        if (source.kind !== "microphone" || source.muted || media === null) continue;
        if (media.levelOf(source) > speechLevel) this.#spokenAtMs.set(sourceKeyOf(from, source.id), now);
      }
    }
    for (const [key, atMs] of this.#spokenAtMs) if (now - atMs > speechHoldMs) this.#spokenAtMs.delete(key);
    const speaking = [...this.#spokenAtMs.keys()];
    if (!sameList(speaking, this.#store.getState().speaking)) this.#patch({ speaking });
  }

  #patch(change: Partial<CallState>): void {
    const state = this.#store.getState();
    const next = { ...state, ...change };
    next.sinceMs = isTakingPart(next)
      ? (state.sinceMs ?? (isWithOthers(next) ? this.#deps.clock.now() : null))
      : null;
    if (!sameList(Object.values(state), Object.values(next))) this.#store.setState(next, true);
  }
}

function sizeOfTrack(track: MediaStreamTrack): PictureSize {
  const { width = 0, height = 0 } = track.getSettings();
  return { width, height };
}

/** Sets the content hint of a track for the encoder; connection/opus-parameters.ts reads it for sounds. */
function hint({ kind, preset, track }: LocalSource): void {
  if (!("contentHint" in track)) return;
  if (kind === "microphone") track.contentHint = "speech";
  else if (kind === "screen-sound") track.contentHint = "music";
  else if (kind === "camera") track.contentHint = "motion";
  else track.contentHint = preset === "text" || preset === "motion" ? preset : "";
}

function sameList<T>(a: readonly T[], b: readonly T[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index]);
}

function sameItems(a: readonly RemoteSource[], b: readonly RemoteSource[]): boolean {
  const fields = (source: RemoteSource | undefined) => Object.values(source ?? {});
  return a.length === b.length && a.every((item, index) => sameList(fields(item), fields(b[index])));
}
