import { useT } from "../i18n/use-t.ts";
import { Button } from "../ui/button.tsx";
import { FieldError } from "../ui/text-field.tsx";
import { useTestTone } from "../ui/use-test-tone.ts";
import { DeviceField } from "./device-field.tsx";
import { canChooseSpeaker } from "./device-select.tsx";
import type { TrialProps } from "./use-trial.ts";

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
