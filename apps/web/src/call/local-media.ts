import type { Call, LocalSource, Options, Preset, ScreenPreset } from "@warren/core";
import { cameraSize } from "@warren/core";
import {
  cameraConstraints,
  mediaChoiceOf,
  microphoneConstraints,
  screenConstraints,
} from "../devices/media-choice.ts";
import { letGo, type MediaFailure, mediaFailureOf } from "../devices/media-failure.ts";
import type { LocalMedia } from "../ui/device-context.tsx";

/** A device that can be on: one camera, one microphone. */
export type DeviceKind = "camera" | "microphone";

/** What of this person's can be opened. */
export type OpenedKind = DeviceKind | "screen";

/** Why something did not begin. */
export interface StartFailure {
  readonly kind: OpenedKind;
  readonly reason: MediaFailure["kind"] | "unsupported";
}

/** What is being opened: a second press meanwhile does nothing. */
const opening = new WeakMap<Call, Set<OpenedKind>>();

/** Whether this browser can share a screen; phones cannot, whatever the types say. */
export function canShareScreen(media: LocalMedia): boolean {
  const { getDisplayMedia }: Partial<LocalMedia> = media;
  return getDisplayMedia !== undefined;
}

/** Whether a screen can come with its sound. */
export function canShareSound(): boolean {
  // Firefox and Safari capture none, and have no way to ask.
  return "chrome" in globalThis;
}

/** Opens a device. @throws what `getUserMedia` does. */
async function openDevice(
  media: LocalMedia,
  kind: DeviceKind,
  options: Options,
  preset: Preset,
): Promise<MediaStreamTrack> {
  const choice = mediaChoiceOf(options);
  const stream = await media.getUserMedia(
    kind === "microphone" ? microphoneConstraints(choice) : cameraConstraints(choice, cameraSize(preset)),
  );
  const [track] = stream.getTracks();
  if (track === undefined) throw new DOMException("no track", "NotFoundError");
  return track;
}

/** Begins to share a camera or a microphone. @returns why not, where it did not begin. */
export function startDevice(
  call: Call,
  media: LocalMedia,
  kind: DeviceKind,
  options: Options,
): Promise<StartFailure | null> {
  return once(call, kind, async () => {
    const preset = options.cameraPreset;
    const track = await openDevice(media, kind, options, preset);
    call.share(kind === "camera" ? { kind, track, preset } : { kind, track });
  });
}

/** Begins to share a screen, with its sound where the person adds it. @returns why not, where it did not begin. */
export async function startScreen(
  call: Call,
  media: LocalMedia,
  options: Options,
  preset: ScreenPreset,
): Promise<StartFailure | null> {
  if (!canShareScreen(media)) return { kind: "screen", reason: "unsupported" };
  return once(call, "screen", async () => {
    const stream = await media.getDisplayMedia(screenConstraints(mediaChoiceOf(options)));
    const [picture] = stream.getVideoTracks();
    const [sound] = stream.getAudioTracks();
    if (picture === undefined) return letGo(stream);
    const screen = call.share({ kind: "screen", track: picture, preset });
    if (sound !== undefined) call.share({ kind: "screen-sound", track: sound, screen });
  });
}

/** Takes a lost device up again, or another one in its place. @returns whether it worked. */
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
    return { kind, reason: mediaFailureOf(thrown).kind };
  } finally {
    kinds.delete(kind);
  }
}
