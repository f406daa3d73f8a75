import { useEffect, useState } from "react";
import { useT } from "../i18n/use-t.ts";
import { ProgressBar } from "../ui/progress.tsx";
import { DeviceField } from "./device-select.tsx";
import { TrialFailure } from "./trial-failure.tsx";
import { useSoundLevel } from "./use-sound-level.ts";
import type { DeviceTrialState, TrialProps } from "./use-trial.ts";

/** Louder than a quiet room: someone is speaking. */
const speechLevel = 0.35;

interface MicrophoneTrialProps extends Pick<TrialProps, "devices" | "choice" | "onChange"> {
  readonly microphone: DeviceTrialState;
}

/** Shows the microphone's level, and selects one. */
export function MicrophoneTrial({ microphone, ...props }: MicrophoneTrialProps) {
  const { trial, retry } = microphone;
  return (
    <DeviceField
      word="microphone"
      devices={props.devices}
      value={props.choice.microphoneId}
      onChange={(microphoneId) => props.onChange({ microphoneId })}
    >
      {trial.status === "failed" ? (
        <TrialFailure word="microphone" kind={trial.kind} onRetry={retry} />
      ) : (
        <SoundLevel stream={trial.status === "live" ? trial.stream : null} />
      )}
    </DeviceField>
  );
}

/** A level meter that also reports whether there was any sound at all. */
function SoundLevel({ stream }: { readonly stream: MediaStream | null }) {
  const t = useT();
  const level = useSoundLevel(stream);
  const [hasSound, setHasSound] = useState(false);
  const isSpeech = level !== null && level >= speechLevel;
  useEffect(() => {
    if (isSpeech) setHasSound(true);
  }, [isSpeech]);
  return (
    <div className="flex min-h-6 flex-col justify-center gap-1">
      {level !== null && (
        <>
          <ProgressBar
            role="meter"
            value={level}
            label={t("media.microphone.level")}
            valueText={t("settings.unit.percent", { value: Math.round(level * 100) })}
          />
          <p role="status" className="text-meta text-text-2">
            {t(hasSound ? "media.microphone.heard" : "media.microphone.speak")}
          </p>
        </>
      )}
    </div>
  );
}
