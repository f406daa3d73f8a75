import { useEffect, useId, useState } from "react";
import { useT } from "../i18n/use-t.ts";
import { Button } from "../ui/button.tsx";
import { cx } from "../ui/cx.ts";
import { EmptyState } from "../ui/empty-state.tsx";
import { Switch } from "../ui/fields/switch.tsx";
import { CameraIcon } from "../ui/icons.ts";
import { Dialog, DialogFooter } from "../ui/overlays/dialog.tsx";
import type { DialogControl, DialogSlot } from "../ui/overlays/dialog-control.ts";
import { type LocalMedia, usePlatform } from "../wiring/platform-context.ts";
import { CameraTrial } from "./camera-trial.tsx";
import { type MediaChoice, microphoneConstraints } from "./media-choice.ts";
import { type Abilities, abilitiesOf, constraintLimit, type SoundConstraint } from "./media-support.ts";
import { MicrophoneTrial } from "./microphone-trial.tsx";
import { SpeakerTrial } from "./speaker-trial.tsx";
import { useMediaDevices } from "./use-media-devices.ts";
import { type DeviceTrial, useTrial } from "./use-trial.ts";

interface MediaDialogProps extends DialogSlot<MediaChoice> {
  /** The current choice. */
  readonly choice: MediaChoice;
}

/** Selects camera, microphone and speaker, and tests them. All devices are released when it closes. */
export default function MediaDialog({ dialog, choice }: MediaDialogProps) {
  const t = useT();
  const { media } = usePlatform();
  return (
    <Dialog
      dialog={dialog}
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
        <br />
        {t("unsupported.https")}
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

interface MediaSwitchProps {
  readonly name: SoundConstraint;
  readonly media: LocalMedia;
  /** The capabilities of the device it applies to. */
  readonly abilities?: Abilities;
  readonly choice: MediaChoice;
  readonly onChange: (change: Partial<MediaChoice>) => void;
}

/** Switches an audio constraint, or shows why it cannot be switched here. */
function MediaSwitch({ name, media, abilities, choice, onChange }: MediaSwitchProps) {
  const t = useT();
  const id = useId();
  const limit = constraintLimit(media, name, abilities);
  return (
    <label
      htmlFor={id}
      className={cx(
        "flex min-h-9 items-center justify-between gap-4 touch:min-h-11",
        limit === null && "cursor-pointer",
      )}
    >
      <span>
        <span id={`${id}-label`} className="block">
          {t(`settings.option.${name}.label`)}
        </span>
        {limit !== null && (
          <span id={`${id}-limit`} className="block pb-1 text-meta text-text-2">
            {t(`settingsMedia.limit.${limit}`)}
          </span>
        )}
      </span>
      <Switch
        id={id}
        checked={limit === null ? choice[name] : limit === "always"}
        isFixed={limit !== null}
        onChange={(isOn) => onChange({ [name]: isOn })}
        aria-labelledby={`${id}-label`}
        aria-describedby={limit === null ? undefined : `${id}-limit`}
      />
    </label>
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
