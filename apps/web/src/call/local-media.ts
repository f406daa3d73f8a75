import type { Call, LocalSource, Options, Preset, ScreenPreset } from "@warren/core";
import { cameraSize } from "@warren/core";
import { cameraConstraints, microphoneConstraints, screenConstraints } from "../devices/media-choice.ts";
import { type MediaFailure, mediaFailureOf, stopTracks } from "../devices/media-failure.ts";
import type { LocalMedia } from "../wiring/platform-context.ts";

/** A local device: one camera, one microphone. */
export type DeviceKind = "camera" | "microphone";

/** The local sources that can be opened. */
type OpenedKind = DeviceKind | "screen";

/** Why a source did not start. */
export interface StartFailure {
  readonly kind: OpenedKind;
  readonly reason: MediaFailure | "unsupported";
}

/** The kinds being opened per call: another attempt meanwhile is ignored. */
const opening = new WeakMap<Call, Set<OpenedKind>>();

/** Whether this browser can share a screen; phones cannot, whatever the types say. */
export function canShareScreen(media: LocalMedia): boolean {
  const { getDisplayMedia }: Partial<LocalMedia> = media;
  return getDisplayMedia !== undefined;
}

/** Whether a shared screen can include its sound. */
export function canShareSound(): boolean {
  // Firefox and Safari capture no sound, and no API reports that.
  return "chrome" in globalThis;
}

/**
 * Opens a device.
 * @throws what `getUserMedia` does.
 */
async function openDevice(
  media: LocalMedia,
  kind: DeviceKind,
  options: Options,
  preset: Preset,
): Promise<MediaStreamTrack> {
  const stream = await media.getUserMedia(
    kind === "microphone" ? microphoneConstraints(options) : cameraConstraints(options, cameraSize(preset)),
  );
  const [track] = stream.getTracks();
  if (track === undefined) throw new DOMException("no track", "NotFoundError");
  return track;
}

interface DeviceStart {
  readonly kind: DeviceKind;
  readonly options: Options;
  /** Whether the device sends nothing at first. */
  readonly isMuted?: boolean;
  /** Whether to share the device, asked once the browser and the person have allowed it. */
  readonly isWanted?: () => boolean;
}

/**
 * Starts sharing a camera or a microphone.
 * @returns why it did not start, if so.
 */
export function startDevice(
  call: Call,
  media: LocalMedia,
  { kind, options, isMuted = false, isWanted = () => true }: DeviceStart,
): Promise<StartFailure | null> {
  return once(call, kind, async () => {
    const preset = options.cameraPreset;
    const track = await openDevice(media, kind, options, preset);
    if (!isWanted()) {
      track.stop();
      return;
    }
    const id = call.share(kind === "camera" ? { kind, track, preset } : { kind, track });
    if (isMuted) call.setMuted(id, true);
  });
}

/**
 * Starts sharing a screen, with its sound if the user adds it.
 * @returns why it did not start, if so.
 */
export async function startScreen(
  call: Call,
  media: LocalMedia,
  options: Options,
  preset: ScreenPreset,
): Promise<StartFailure | null> {
  if (!canShareScreen(media)) return { kind: "screen", reason: "unsupported" };
  return once(call, "screen", async () => {
    const stream = await media.getDisplayMedia(screenConstraints(options));
    const [picture] = stream.getVideoTracks();
    const [sound] = stream.getAudioTracks();
    if (picture === undefined) return stopTracks(stream);
    const screen = call.share({ kind: "screen", track: picture, preset });
    if (sound !== undefined) call.share({ kind: "screen-sound", track: sound, screen });
  });
}

/**
 * Reopens a lost device, or another one in its place.
 * @returns whether it worked.
 */
export async function reopen(
  call: Call,
  media: LocalMedia,
  source: LocalSource,
  options: Options,
): Promise<boolean> {
  const { kind, preset } = source;
  if (kind !== "camera" && kind !== "microphone") return false;
  try {
    const track = await openDevice(media, kind, options, preset ?? options.cameraPreset);
    call.replaceTrack(source.id, track);
    return true;
  } catch {
    return false; // the next device that is plugged in is tried
  }
}

async function once(call: Call, kind: OpenedKind, open: () => Promise<void>): Promise<StartFailure | null> {
  const kinds = opening.get(call) ?? new Set();
  opening.set(call, kinds);
  if (kinds.has(kind)) return null;
  kinds.add(kind);
  try {
    await open();
    return null;
  } catch (thrown) {
    return { kind, reason: mediaFailureOf(thrown) };
  } finally {
    kinds.delete(kind);
  }
}
