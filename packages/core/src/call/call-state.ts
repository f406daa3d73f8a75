import type { ClientId, SourceId, SourceKind } from "@warren/protocol";
import type { PictureSize, Preset, Reception } from "./call-policy.ts";

/** A source that we share. */
export interface LocalSource extends PictureSize {
  readonly id: SourceId;
  readonly kind: SourceKind;
  /** The name of the device, window or screen. */
  readonly label: string;
  readonly track: MediaStreamTrack;
  /** Muted: no media are sent. */
  readonly muted: boolean;
  /** Its device is gone; it stays listed until it is stopped or the device returns. */
  readonly lost: boolean;
  /** Null for a sound. */
  readonly preset: Preset | null;
  /** The screen a sound belongs to. */
  readonly screen: SourceId | null;
  /** The processor could not keep up, so it is sent smaller. */
  readonly isSteppedDown: boolean;
  /** The peers that currently watch or listen. */
  readonly watchers: readonly ClientId[];
}

/** Identifies a source of a peer: ids are unique per peer only. */
export type SourceKey = `${ClientId}/${SourceId}`;

/** A source of a peer. */
export interface RemoteSource extends PictureSize {
  readonly key: SourceKey;
  readonly id: SourceId;
  readonly from: ClientId;
  readonly kind: SourceKind;
  readonly label: string;
  /** Null until it arrives, and while its sender is unreachable. */
  readonly track: MediaStreamTrack | null;
  /** Its sender muted it. */
  readonly muted: boolean;
  readonly screen: SourceKey | null;
  /** Paused here: no media are sent to us. */
  readonly paused: boolean;
  /** Of a sound, 0 to 1; at 0 no media are sent to us. */
  readonly volume: number;
  readonly reception: Reception;
}

/** The sources in the room: ours and those of peers. */
export interface CallState {
  readonly local: readonly LocalSource[];
  /** Who gets what we share, and whom alone we hear and see; null for everyone in the room. */
  readonly audience: readonly ClientId[] | null;
  /** Grouped by peer in the order in which they started; each group in the peer's order. */
  readonly remote: readonly RemoteSource[];
  /** Whether the user agreed to hear peers; nothing is played before. */
  readonly isAudioEnabled: boolean;
  /** Whether the user agreed to see the sources of peers. */
  readonly isVideoEnabled: boolean;
  /** The microphones with speech. */
  readonly speaking: readonly SourceKey[];
  /** Since when we have been in it with somebody, in ms since the epoch; null before that and without us. */
  readonly sinceMs: number | null;
}

/** Whether we take part: share something, or agreed to hear or see what others share. */
export function isTakingPart({
  local,
  remote,
  isAudioEnabled,
  isVideoEnabled,
}: Pick<CallState, "local" | "remote" | "isAudioEnabled" | "isVideoEnabled">): boolean {
  return local.length > 0 || (remote.length > 0 && (isAudioEnabled || isVideoEnabled));
}

/** Whether anybody shares something with us, or watches or hears what we share. */
export function isWithOthers({ local, remote }: Pick<CallState, "local" | "remote">): boolean {
  return remote.length > 0 || local.some(({ watchers }) => watchers.length > 0);
}

/** The key of a source of a peer. */
export function sourceKeyOf(from: ClientId, id: SourceId): SourceKey {
  return `${from}/${id}`;
}

/** The events of a call. */
export type CallEvents = {
  /** One of our devices is gone, or the user ended a screen in the browser's own bar. */
  ended: [source: LocalSource];
  /** The processor could not keep up, so a picture is sent smaller from now on. */
  "stepped-down": [source: LocalSource];
  /** `Call.filePaceTo` changed for a peer. */
  pace: [peerId: ClientId];
  /** A peer sent something that no honest client sends. */
  violation: [peerId: ClientId, issue: string];
};
