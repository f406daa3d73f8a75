import type { ClientId, SourceId, SourceKind } from "@warren/protocol";
import type { PictureSize, Preset, Reception } from "./call-policy.ts";

/** Something that I share. */
export interface LocalSource extends PictureSize {
  readonly id: SourceId;
  readonly kind: SourceKind;
  /** The name of the device, window or screen. */
  readonly label: string;
  readonly track: MediaStreamTrack;
  /** Muted here: no media of it are sent. */
  readonly muted: boolean;
  /** Its device is gone; it stays in the list until it is stopped or the device is back. */
  readonly lost: boolean;
  /** Null for a sound. */
  readonly preset: Preset | null;
  /** The screen a sound belongs to. */
  readonly screen: SourceId | null;
  /** The processor could not keep up with it, so that it is sent smaller. */
  readonly isSteppedDown: boolean;
  /** Who watches or listens at this moment. */
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
  /** Null until it arrives, and while its sender is out of reach. */
  readonly track: MediaStreamTrack | null;
  /** Its sender turned it off for a while. */
  readonly muted: boolean;
  readonly screen: SourceKey | null;
  /** I stopped it here: nothing of it is sent to me. */
  readonly paused: boolean;
  /** Of a sound, 0 to 1; at 0 nothing of it is sent to me. */
  readonly volume: number;
  readonly reception: Reception;
}

/** What is shared in the room, by me and by others. */
export interface CallState {
  readonly local: readonly LocalSource[];
  /** By person in the order they began, each in the order they say. */
  readonly remote: readonly RemoteSource[];
  /** Whether I agreed to hear others; nothing is played before. */
  readonly isAudioEnabled: boolean;
  /** Whether the user agreed to see the sources of peers. */
  readonly isVideoEnabled: boolean;
  /** The microphones that are spoken into. */
  readonly speaking: readonly SourceKey[];
}

/** The key of a source of a peer. */
export function sourceKeyOf(from: ClientId, id: SourceId): SourceKey {
  return `${from}/${id}`;
}

/** What happens in a call. */
export type CallEvents = {
  /** Somebody began to share something, or unmuted a microphone. */
  offered: [source: RemoteSource];
  /** A device of mine is gone, or a person ended a screen in the browser's own bar. */
  ended: [source: LocalSource];
  /** The processor could not keep up, so a picture is sent smaller from now on. */
  "stepped-down": [source: LocalSource];
  /** `Call.filePaceTo` changed for a peer. */
  pace: [peerId: ClientId];
  /** A peer sent something that no honest client sends. */
  violation: [peerId: ClientId, issue: string];
};
