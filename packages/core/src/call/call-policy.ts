import { isSound, type SourceKind } from "@warren/protocol";
import type { CameraPreset, ScreenPreset } from "../settings/options.ts";

/** The quality preset of a source; sounds have none. */
export type Preset = ScreenPreset | CameraPreset;

/** A picture as a track delivers it. */
export interface PictureSize {
  /** In pixels. */
  readonly width: number;
  readonly height: number;
}

/** A source, as far as the policy depends on it. */
export interface PolicySource extends PictureSize {
  readonly kind: SourceKind;
  readonly preset: Preset | null;
  /** The person muted it. */
  readonly muted: boolean;
  /** The processor could not encode it fast enough. */
  readonly isSteppedDown: boolean;
}

/** The size, in device pixels, at which a peer views a source. `unknown` (no report in time) counts as the smallest. */
export type View = PictureSize | "none" | "unknown";

/** The maximum bit rate, which overrides all other decisions. */
export interface Ceilings {
  readonly videoMaxBitrate: number;
  readonly audioMaxBitrate: number;
}

/** How one source is encoded for one peer. */
export interface Encoding {
  readonly active: boolean;
  /** In bits per second. */
  readonly maxBitrate: number;
  /** For pictures only. */
  readonly maxFramerate?: number;
  readonly scaleResolutionDownBy?: number;
}

interface PresetRow {
  /** The maximum number of lines sent; null for no limit. */
  readonly lines: number | null;
  readonly frameRate: number;
  /** Bits per second at the kind's reference size. */
  readonly bitrate: number;
  /** What the encoder preserves longest when it cannot keep up. */
  readonly degradation: RTCDegradationPreference;
  /** Whether the size is never reduced, because small text would become unreadable. */
  readonly keepsSize?: true;
}

const mega = 1_000_000;

/** The limits of each preset. */
export const presets: Readonly<Record<Preset, PresetRow>> = {
  text: {
    lines: null,
    frameRate: 15,
    bitrate: 1 * mega,
    degradation: "maintain-resolution",
    keepsSize: true,
  },
  automatic: { lines: null, frameRate: 30, bitrate: 3 * mega, degradation: "balanced" },
  motion: { lines: null, frameRate: 30, bitrate: 4.5 * mega, degradation: "maintain-framerate" },
  low: { lines: 360, frameRate: 30, bitrate: 0.4 * mega, degradation: "balanced" },
  standard: { lines: 720, frameRate: 30, bitrate: 0.7 * mega, degradation: "balanced" },
  high: { lines: 1080, frameRate: 30, bitrate: 1.8 * mega, degradation: "balanced" },
};

/** The constraints of a camera, so that it captures as many lines as its preset sends. */
export function cameraSize(preset: Preset): Pick<MediaTrackConstraints, "width" | "height"> {
  const lines = presets[preset].lines ?? 720;
  return { width: { ideal: Math.round((lines * 16) / 9) }, height: { ideal: lines } };
}

/** The size that the bitrates of a kind are meant for. */
const measuredPixels = { camera: 1280 * 720, screen: 1920 * 1080 } as const;
/** In bits per second; with less, no codec shows anything useful. */
const leastVideoBitrate = 100_000;
const voiceBitrate = 40_000;
const screenSoundBitrate = 128_000;
const smallestFrameRate = 5;
/** If the processor cannot keep up: this frame rate, and a picture scaled down by this factor. */
const steppedDown = { frameRate: 15, scale: 1.5 };
/** The steps in which a picture is made smaller: otherwise an encoder would restart with every pixel a window grows. */
const scales = [1, 1.5, 2, 3, 4, 6, 8, 12, 16];
const smallestLines = 180;

/** The reductions when bandwidth is limited, in order. Sound is never reduced. */
const degradations = [
  { kind: "camera", cuts: "frameRate", by: 2 },
  { kind: "camera", cuts: "size", by: 2 },
  { kind: "screen", cuts: "frameRate", by: 3 },
  { kind: "screen", cuts: "size", by: 2 },
] as const;

/**
 * How a source is sent to a peer.
 * @param view the size at which the peer shows it.
 * @param degradationSteps how many rows of {@link degradations} are in force on the connection to them.
 */
export function encodingOf(
  source: PolicySource,
  view: View,
  degradationSteps: number,
  ceilings: Ceilings,
): Encoding {
  const isSeen = view === "unknown" || (view !== "none" && view.width > 0 && view.height > 0);
  const active = isSeen && !source.muted;
  if (isSound(source.kind)) {
    const bitrate = source.kind === "microphone" ? voiceBitrate : screenSoundBitrate;
    // A peer that plays a sound reports a size for it.
    return { active: active && view !== "unknown", maxBitrate: Math.min(bitrate, ceilings.audioMaxBitrate) };
  }
  const preset = presets[source.preset ?? "automatic"];
  let frameRate = preset.frameRate;
  let scale = scaleOf(source, view, preset);
  for (const { kind, cuts, by } of degradations.slice(0, degradationSteps)) {
    if (kind !== source.kind) continue;
    if (cuts === "frameRate") frameRate /= by;
    else if (!preset.keepsSize) scale *= by;
  }
  if (view === "unknown") frameRate = smallestFrameRate;
  if (source.isSteppedDown) {
    frameRate = Math.min(frameRate, steppedDown.frameRate);
    if (!preset.keepsSize) scale *= steppedDown.scale;
  }
  const pixels = (source.width * source.height) / scale ** 2;
  const wished = preset.bitrate * Math.min(1, pixels / measuredPixels[source.kind]);
  // Fewer frames need fewer bits, but not proportionally: each differs more from the previous one.
  const bitrate = wished * Math.sqrt(frameRate / preset.frameRate);
  return {
    active,
    maxBitrate: Math.round(Math.min(Math.max(bitrate, leastVideoBitrate), ceilings.videoMaxBitrate)),
    maxFramerate: Math.max(1, Math.round(frameRate)),
    scaleResolutionDownBy: scale,
  };
}

function scaleOf({ width, height }: PictureSize, view: View, preset: PresetRow): number {
  if (preset.keepsSize) return 1;
  const byPreset = preset.lines === null ? 1 : Math.min(width, height) / preset.lines;
  const byView =
    view === "unknown"
      ? Math.min(width, height) / smallestLines
      : view === "none" || view.width === 0 || view.height === 0
        ? 1
        : // The picture is letterboxed, so the side with the margin does not count.
          Math.max(width / view.width, height / view.height);
  const wished = Math.max(1, byPreset, byView);
  return scales.findLast((scale) => scale <= wished) ?? 1;
}

/** Statistics of one source sent to one peer. */
export interface SenderSample {
  readonly kind: SourceKind;
  readonly active: boolean;
  /** Why the encoder stays below its settings. */
  readonly limitedBy: "none" | "cpu" | "bandwidth" | "other";
}

/** Statistics of the connection to a peer. */
export interface BandwidthSample {
  readonly atMs: number;
  readonly senders: readonly SenderSample[];
}

/** Whether bandwidth to a peer is limited, and how far quality is reduced. */
export interface BandwidthState {
  /** How many rows of {@link degradations} are in force. */
  readonly degradationSteps: number;
  /** Whether less gets through than requested. */
  readonly isLimited: boolean;
  /** When that last changed. */
  readonly sinceMs: number;
}

/** The state before any statistics. */
export const initialBandwidth: BandwidthState = { degradationSteps: 0, isLimited: false, sinceMs: 0 };

/** Encoders need some seconds to find the available bandwidth. */
const limitedForMs = 4_000;
/** A step is undone later than it is taken, so that a picture does not alternate between two sizes. */
const unlimitedForMs = 20_000;

/** Adds a step after bandwidth was limited for a while; removes one after it was not limited for longer. */
export function nextBandwidth(state: BandwidthState, { atMs, senders }: BandwidthSample): BandwidthState {
  const isLimited = senders.some(({ active, limitedBy }) => active && limitedBy === "bandwidth");
  if (isLimited !== state.isLimited) return { ...state, isLimited, sinceMs: atMs };
  const lastedMs = atMs - state.sinceMs;
  const { degradationSteps } = state;
  if (isLimited && lastedMs >= limitedForMs && degradationSteps < degradations.length)
    return { degradationSteps: degradationSteps + 1, isLimited, sinceMs: atMs };
  if (!isLimited && lastedMs >= unlimitedForMs && degradationSteps > 0)
    return { degradationSteps: degradationSteps - 1, isLimited, sinceMs: atMs };
  return state;
}

const cpuWindowMs = 60_000;
const cpuPart = 0.7;

/** Whether the processor limited an encoder in most of the last minute. @param samples oldest first. */
export function isProcessorBusy(
  samples: readonly { readonly atMs: number; readonly limited: boolean }[],
): boolean {
  const last = samples.at(-1);
  const first = samples[0];
  if (last === undefined || first === undefined || last.atMs - first.atMs < cpuWindowMs) return false;
  const recent = samples.filter(({ atMs }) => atMs > last.atMs - cpuWindowMs);
  return recent.filter(({ limited }) => limited).length >= cpuPart * recent.length;
}

/** A video codec, and how this machine encodes with it. */
export interface CodecAbility {
  /** As "video/VP9". */
  readonly mimeType: string;
  readonly smooth: boolean;
  readonly powerEfficient: boolean;
}

/** Cheaper to encode than the others, and decoded by every browser. */
const costly = /^video\/(?:av1|vp9|h265)$/i;
const cheap = /^video\/vp8$/i;

/**
 * The codec to use if the processor cannot keep up; null if the current one is no more expensive.
 * @param negotiated the codecs of both sides, the current one first.
 */
export function cheaperCodec<T extends { readonly mimeType: string }>(negotiated: readonly T[]): T | null {
  const isCostly = costly.test(negotiated[0]?.mimeType ?? "");
  return (isCostly && negotiated.find(({ mimeType }) => cheap.test(mimeType))) || null;
}

/** The first smooth codec encoded in software. */
const inSoftware = ["video/vp9", "video/vp8", "video/h264", "video/av1"];

/** Codecs in the order of preference: encoded in hardware, then smooth in software, then the rest. */
export function codecOrder(abilities: readonly CodecAbility[]): string[] {
  const place = ({ mimeType }: CodecAbility) => {
    const index = inSoftware.indexOf(mimeType.toLowerCase());
    return index < 0 ? inSoftware.length : index;
  };
  const rank = (ability: CodecAbility) => (ability.smooth ? 0 : 2) + (ability.powerEfficient ? 0 : 1);
  return [...abilities]
    .sort((a, b) => rank(a) - rank(b) || place(a) - place(b))
    .map(({ mimeType }) => mimeType);
}

/** The quality of received media, as shown to a person. */
export interface ReceptionSample {
  readonly atMs: number;
  readonly packetsReceived: number;
  readonly packetsLost: number;
  readonly framesDecoded: number;
}

/** A sample of a received source. */
export type Reception = "good" | "weak" | "frozen";

const weakLoss = 0.05;
const frozenAfterMs = 4_000;

/**
 * The quality of a watched source, from two samples some seconds apart.
 * @param isStill whether it is a screen; one without movement sends hardly any frames
 */
export function receptionOf(before: ReceptionSample, now: ReceptionSample, isStill: boolean): Reception {
  const received = now.packetsReceived - before.packetsReceived;
  const lost = now.packetsLost - before.packetsLost;
  const hasFrames = now.framesDecoded > before.framesDecoded;
  if (!isStill && !hasFrames && now.atMs - before.atMs >= frozenAfterMs) return "frozen";
  return received + lost > 0 && lost / (received + lost) > weakLoss ? "weak" : "good";
}
