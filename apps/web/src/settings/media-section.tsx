import { cameraPresets, optionTable, type Preset, screenPresets } from "@warren/core";
import { type ReactNode, useId } from "react";
import { canChooseSpeaker, DeviceSelect, type DeviceWord } from "../devices/device-select.tsx";
import { useChooseMedia } from "../devices/media-dialog.tsx";
import { constraintLimit, type SoundConstraint } from "../devices/media-support.ts";
import { useMediaDevices } from "../devices/use-media-devices.ts";
import { useT } from "../i18n/use-t.ts";
import { Button } from "../ui/button.tsx";
import { cx } from "../ui/cx.ts";
import { EmptyState } from "../ui/empty-state.tsx";
import { Select } from "../ui/fields/select.tsx";
import { FieldError } from "../ui/fields/text-field.tsx";
import { Folded } from "../ui/folded.tsx";
import { MediaIcon } from "../ui/icons.ts";
import { useDevice } from "../wiring/device-context.tsx";
import { NumberRow, SwitchRow } from "./option-rows.tsx";
import { labelIdOf, noteIdsOf, SettingRow } from "./setting-row.tsx";
import { useAreChanged, useSetting } from "./use-setting.ts";

const limitOptions = ["videoMaxBitrate", "audioMaxBitrate"] as const;

/** Camera, microphone and speaker, and how their sound and picture are processed. */
export function MediaSection() {
  const t = useT();
  const { media } = useDevice();
  return (
    <>
      <Part title={t("settingsMedia.devices")}>
        {media === null ? (
          <EmptyState icon={MediaIcon} title={t("settingsMedia.noSupport")} className="py-6">
            {t("unsupported.secureContext")}
            <br />
            {t("unsupported.https")}
          </EmptyState>
        ) : (
          <Devices />
        )}
      </Part>
      <Part title={t("settingsMedia.voice")}>
        <SoundRow name="noiseSuppression" />
        <SoundRow name="echoCancellation" />
        <SoundRow name="autoGainControl" />
        <SoundRow name="voiceIsolation" />
      </Part>
      <Part title={t("settingsMedia.joining")}>
        <SwitchRow name="joinMuted" />
        <SwitchRow name="joinWithCamera" />
      </Part>
      <Part title={t("settingsMedia.sharing")}>
        <PresetRow name="cameraPreset" />
        <PresetRow name="screenPreset" />
        <SoundRow name="suppressLocalAudioPlayback" />
      </Part>
      <Folded title={t("settingsMedia.limits")} opensFor={useAreChanged(limitOptions)} className="mt-6">
        <NumberRow name="videoMaxBitrate" />
        <NumberRow name="audioMaxBitrate" />
      </Folded>
    </>
  );
}

/** The sending quality; for a camera it changes immediately, for a screen the next time one is shared. */
function PresetRow({ name }: { readonly name: "cameraPreset" | "screenPreset" }) {
  const t = useT();
  const id = useId();
  const { value, isDefault, set, reset } = useSetting(name);
  const presets: readonly Preset[] = name === "cameraPreset" ? cameraPresets : screenPresets;
  const label = (preset: Preset) => t(`settingsMedia.presets.${preset}`);
  return (
    <SettingRow
      id={id}
      label={t(`settings.option.${name}.label`)}
      help={t(`settings.option.${name}.help`)}
      byDefault={t("settings.default", { value: label(optionTable[name].default) })}
      onReset={isDefault ? undefined : reset}
      control={
        <span className="shrink-0 md:w-56">
          <Select
            value={value}
            options={presets.map((preset) => ({ value: preset, label: label(preset) }))}
            onChange={set}
            aria-labelledby={labelIdOf(id)}
            aria-describedby={noteIdsOf(id)}
          />
        </span>
      }
    />
  );
}

/** Outside a secure context it is unknown what the browser supports. */
function SoundRow({ name }: { readonly name: SoundConstraint }) {
  const t = useT();
  const { media } = useDevice();
  const limit = media && constraintLimit(media, name);
  return (
    <SwitchRow name={name} unavailable={limit === null ? undefined : t(`settingsMedia.limit.${limit}`)} />
  );
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section aria-label={title}>
      <h2 className="mt-6 text-heading-sm">{title}</h2>
      {children}
    </section>
  );
}

function Devices() {
  const t = useT();
  const { devices, isNamed, isDenied, list, allow } = useMediaDevices();
  const chooseMedia = useChooseMedia();
  const tryOut = async (): Promise<void> => {
    await chooseMedia();
    await list();
  };
  return (
    <>
      <div className="mt-2 flex items-center justify-between gap-4 max-md:flex-col max-md:items-stretch">
        <p className="text-compact text-text-2">{t("media.tryLine")}</p>
        <Button onClick={() => void tryOut()}>{t("media.try")}</Button>
      </div>
      {!isNamed && (
        <div
          className={cx(
            "mt-2 flex items-center justify-between gap-4 max-md:flex-col max-md:items-stretch",
            devices === null && "invisible",
          )}
        >
          <p className="text-compact text-text-2">{t("settingsMedia.allowLine")}</p>
          <Button onClick={() => void allow()}>{t("settingsMedia.allow")}</Button>
        </div>
      )}
      {isDenied && (
        <div role="alert" className="mt-2">
          <FieldError>{t("settingsMedia.denied")}</FieldError>
        </div>
      )}
      <DeviceRow word="camera" devices={devices} />
      <DeviceRow word="microphone" devices={devices} />
      {canChooseSpeaker() ? (
        <DeviceRow word="speaker" devices={devices} />
      ) : (
        <SettingRow
          id="speaker"
          label={t("settings.option.speakerId.label")}
          help={t("settingsMedia.speakerFixed")}
          control={null}
        />
      )}
    </>
  );
}

interface DeviceRowProps {
  readonly word: DeviceWord;
  readonly devices: readonly MediaDeviceInfo[] | null;
}

function DeviceRow({ word, devices }: DeviceRowProps) {
  const t = useT();
  const id = useId();
  const name = `${word}Id` as const;
  const { value, isDefault, set, reset } = useSetting(name);
  return (
    <SettingRow
      id={id}
      label={t(`settings.option.${name}.label`)}
      help={t(`settings.option.${name}.help`)}
      byDefault={t("settings.default", { value: t("settingsMedia.standard") })}
      onReset={isDefault ? undefined : reset}
      control={
        <span className="shrink-0 md:w-64">
          <DeviceSelect
            word={word}
            devices={devices}
            value={value}
            onChange={set}
            aria-labelledby={labelIdOf(id)}
            aria-describedby={noteIdsOf(id)}
          />
        </span>
      }
    />
  );
}
