import { useEffect, useState } from "react";
import { useT } from "../i18n/use-t.ts";
import { Button } from "../ui/button.tsx";
import { type LocalMedia, useDevice } from "../ui/device-context.tsx";
import { Dialog, DialogFooter } from "../ui/dialog.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { CameraIcon } from "../ui/icons.ts";
import type { DialogControl, DialogSlot } from "../ui/open-dialog.tsx";
import { CameraTrial } from "./camera-trial.tsx";
import { type MediaChoice, microphoneConstraints } from "./media-choice.ts";
import { type Abilities, abilitiesOf } from "./media-support.ts";
import { MediaSwitch } from "./media-switch.tsx";
import { MicrophoneTrial } from "./microphone-trial.tsx";
import { SpeakerTrial } from "./speaker-trial.tsx";
import type { DeviceTrial } from "./use-device-trial.ts";
import { useMediaDevices } from "./use-media-devices.ts";
import { useTrial } from "./use-trial.ts";

interface MediaDialogProps extends DialogSlot<MediaChoice> {
  /** The current choice. */
  readonly choice: MediaChoice;
}

/** Selects camera, microphone and speaker, and tests them. All devices are released when it closes. */
export function MediaDialog({ dialog, choice }: MediaDialogProps) {
  const t = useT();
  const { media } = useDevice();
  return (
    <Dialog
      open={dialog.open}
      onClose={dialog.cancel}
      returnFocus={dialog.returnFocus}
      size="lg"
      title={t("media.title")}
      {...(media !== null && { description: t("media.line") })}
    >
      {media === null ? (
        <NoSupport onClose={dialog.cancel} />
      ) : (
        <Choice media={media} dialog={dialog} choice={choice} />
      )}
    </Dialog>
  );
}

function NoSupport({ onClose }: { readonly onClose: () => void }) {
  const t = useT();
  return (
    <>
      <EmptyState icon={CameraIcon} title={t("call.noSupport")} className="py-6">
        {t("call.secureContext")}
      </EmptyState>
      <DialogFooter>
        <Button onClick={onClose}>{t("common.close")}</Button>
      </DialogFooter>
    </>
  );
}

interface ChoiceProps {
  readonly media: LocalMedia;
  readonly dialog: DialogControl<MediaChoice>;
  readonly choice: MediaChoice;
}

function Choice({ media, dialog, choice: before }: ChoiceProps) {
  const t = useT();
  const { devices, list } = useMediaDevices();
  const [choice, setChoice] = useState(before);
  const change = (part: Partial<MediaChoice>): void => setChoice((last) => ({ ...last, ...part }));
  const trial = { media, devices, choice, onChange: change, isOn: dialog.open, onOpened: list };
  const microphone = useTrial("microphone", microphoneConstraints, trial);
  const ofSound = { media, choice, onChange: change };
  const ofVoice = { ...ofSound, abilities: useAbilities(microphone.trial) };
  return (
    <>
      <div className="mt-4 flex flex-col gap-4">
        <CameraTrial {...trial} />
        <MicrophoneTrial {...trial} microphone={microphone} />
        <SpeakerTrial {...trial} />
        <fieldset>
          <legend className="mb-1 text-compact font-medium">{t("settingsMedia.voice")}</legend>
          <div className="grid gap-x-8 md:grid-cols-2">
            <MediaSwitch name="noiseSuppression" {...ofVoice} />
            <MediaSwitch name="echoCancellation" {...ofVoice} />
            <MediaSwitch name="autoGainControl" {...ofVoice} />
            <MediaSwitch name="voiceIsolation" {...ofVoice} />
          </div>
        </fieldset>
        <fieldset>
          <legend className="mb-1 text-compact font-medium">{t("settingsMedia.sharing")}</legend>
          <MediaSwitch name="suppressLocalAudioPlayback" {...ofSound} />
        </fieldset>
      </div>
      <DialogFooter>
        <Button variant="ghost" onClick={dialog.cancel}>
          {t("common.cancel")}
        </Button>
        <Button variant="primary" onClick={() => dialog.submit(choice)}>
          {t("media.use")}
        </Button>
      </DialogFooter>
    </>
  );
}

/** The capabilities of the tested microphone; while another one opens, those of the previous one. */
function useAbilities(trial: DeviceTrial): Abilities {
  const [abilities, setAbilities] = useState<Abilities>({});
  useEffect(() => {
    if (trial.status === "live") setAbilities(abilitiesOf(trial.stream.getAudioTracks()[0]));
  }, [trial]);
  return abilities;
}
