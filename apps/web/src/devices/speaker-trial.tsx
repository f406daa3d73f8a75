import { useEffect, useRef, useState } from "react";
import { useT } from "../i18n/use-t.ts";
import { Button } from "../ui/button.tsx";
import { FieldError } from "../ui/fields/text-field.tsx";
import { DeviceField } from "./device-select.tsx";
import { canChooseSpeaker } from "./media-support.ts";
import type { TrialProps } from "./use-trial.ts";

/** Two notes, the second a fourth above the first. */
const notesHz = [440, 587.33];
const noteSeconds = 0.6;
/** Well below a painful level in headphones. */
const loudness = 0.2;

/** Without an output device, the clock of some browsers never starts, and no note ends. */
const giveUpAfterMs = 5_000;

type SpeakerTrialProps = Pick<TrialProps, "devices" | "choice" | "onChange">;

/** Selects the speaker if the page may, and plays a test tone. */
export function SpeakerTrial({ devices, choice, onChange }: SpeakerTrialProps) {
  const t = useT();
  if (!canChooseSpeaker())
    return (
      <div className="flex flex-col gap-1.5">
        <p className="text-compact font-medium">{t("settings.option.speakerId.label")}</p>
        <p className="text-compact text-text-2">{t("settingsMedia.speakerFixed")}</p>
        <TestTone speakerId={null} />
      </div>
    );
  return (
    <DeviceField
      word="speaker"
      devices={devices}
      value={choice.speakerId}
      onChange={(speakerId) => onChange({ speakerId })}
    >
      <TestTone speakerId={choice.speakerId} />
    </DeviceField>
  );
}

function TestTone({ speakerId }: { readonly speakerId: string | null }) {
  const t = useT();
  const { state, play } = useTestTone(speakerId);
  if (!("AudioContext" in globalThis)) return null;
  return (
    <div className="flex min-h-8 flex-wrap items-center gap-x-3 gap-y-1">
      <Button size="sm" onClick={() => void play()}>
        {t("media.speaker.test")}
      </Button>
      <div role="status" className="min-w-48 flex-1 text-meta text-text-2">
        {state === "playing" && t("media.speaker.playing")}
        {state === "played" && t("media.speaker.played")}
        {state === "failed" && <FieldError>{t("media.speaker.failed")}</FieldError>}
      </div>
    </div>
  );
}

/** Whether the tone is playing, was played to its end, or was refused by the device. */
type ToneState = "silent" | "playing" | "played" | "failed";

/**
 * Plays two notes on a device, until they end or the device changes.
 * @param speakerId the device; null for the browser's default.
 */
function useTestTone(speakerId: string | null): { readonly state: ToneState; play(): Promise<void> } {
  const [state, setState] = useState<ToneState>("silent");
  const stop = useRef(() => {});
  // biome-ignore lint/correctness/useExhaustiveDependencies: another device ends the tone on the one before
  useEffect(
    () => () => {
      stop.current();
      setState("silent");
    },
    [speakerId],
  );

  const play = async (): Promise<void> => {
    stop.current();
    const context = new AudioContext();
    const player = new Audio();
    let isOver = false;
    const deadline = setTimeout(() => end("failed"), giveUpAfterMs);
    stop.current = () => {
      if (isOver) return;
      isOver = true;
      clearTimeout(deadline);
      player.pause();
      player.srcObject = null;
      void context.close();
    };
    const end = (how: ToneState): void => {
      if (isOver) return;
      stop.current();
      setState(how);
    };
    setState("playing");
    try {
      // Through an audio element: fewer browsers let an AudioContext choose its output.
      const output = context.createMediaStreamDestination();
      player.srcObject = output.stream;
      if (speakerId !== null) await player.setSinkId(speakerId);
      await Promise.all([player.play(), context.resume()]);
      if (isOver) return;
      await playNotes(context, output);
      end("played");
    } catch {
      end("failed");
    }
  };
  return { state, play };
}

/** One note after the other, each fading in and out, because a hard edge would click. */
function playNotes(context: AudioContext, output: AudioNode): Promise<void> {
  return new Promise((resolve) => {
    for (const [index, hertz] of notesHz.entries()) {
      const startsAt = context.currentTime + 0.1 + index * noteSeconds;
      const endsAt = startsAt + noteSeconds;
      const oscillator = new OscillatorNode(context, { frequency: hertz });
      const volume = new GainNode(context, { gain: 0 });
      volume.gain.setValueAtTime(0, startsAt);
      volume.gain.linearRampToValueAtTime(loudness, startsAt + 0.05);
      volume.gain.linearRampToValueAtTime(0, endsAt);
      oscillator.connect(volume).connect(output);
      oscillator.start(startsAt);
      oscillator.stop(endsAt);
      if (index === notesHz.length - 1) oscillator.addEventListener("ended", () => resolve());
    }
  });
}
