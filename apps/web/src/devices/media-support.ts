import type { LocalMedia } from "../wiring/platform-context.ts";
import type { MediaChoice } from "./media-choice.ts";

/** The boolean audio constraints. */
export type SoundConstraint = {
  [Name in keyof MediaChoice]: MediaChoice[Name] extends boolean ? Name : never;
}[keyof MediaChoice];

/** Why a constraint cannot be switched: the browser lacks it, or the device never or always applies it. */
export type ConstraintLimit = "browser" | "never" | "always";

/** The capabilities of a device; empty while unknown, or if the browser does not report them. */
export type Abilities = MediaTrackCapabilities;

/** The capabilities of a track's device. */
export function abilitiesOf(track: MediaStreamTrack | undefined): Abilities {
  return track?.getCapabilities?.() ?? {};
}

/** Why switching a constraint has no effect here; null if it has one. */
export function constraintLimit(
  media: LocalMedia,
  name: SoundConstraint,
  abilities: Abilities = {},
): ConstraintLimit | null {
  if (valueAt(media.getSupportedConstraints(), name) !== true) return "browser";
  const values = valueAt(abilities, name);
  if (!Array.isArray(values) || values.length === 0) return null;
  // Newer browsers have kinds of echo cancellation besides true and false.
  if (values.every((value) => value === false)) return "never";
  return values.includes(false) ? null : "always";
}

/** The platform's types lack some of the standard's names. */
function valueAt(record: object, name: string): unknown {
  return Object.entries(record).find(([key]) => key === name)?.[1];
}

/** Whether the page may select the output device. */
export function canChooseSpeaker(): boolean {
  return "setSinkId" in HTMLMediaElement.prototype;
}
