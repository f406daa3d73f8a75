import { cameraPresets, optionTable, type Preset, screenPresets } from "@warren/core";
import { useId } from "react";
import { DeviceSelect, type DeviceWord } from "../devices/device-select.tsx";
import { canChooseSpeaker, constraintLimit, type SoundConstraint } from "../devices/media-support.ts";
import { useChooseMedia } from "../devices/use-choose-media.ts";
import { useMediaDevices } from "../devices/use-media-devices.ts";
import { useT } from "../i18n/use-t.ts";
import { Button } from "../ui/button.tsx";
import { Collapsible } from "../ui/collapsible.tsx";
import { cx } from "../ui/cx.ts";
import { EmptyState } from "../ui/empty-state.tsx";
import { Select } from "../ui/fields/select.tsx";
import { FieldError } from "../ui/fields/text-field.tsx";
import { MediaIcon } from "../ui/icons.ts";
import { usePlatform } from "../wiring/platform-context.ts";
import { ActionRow } from "./rows/action-row.tsx";
import { NumberRow, SwitchRow } from "./rows/option-rows.tsx";
import { SettingGroup } from "./rows/setting-group.tsx";
import { labelIdOf, noteIdsOf, SettingRow } from "./rows/setting-row.tsx";
import { useAreChanged, useSetting } from "./rows/use-setting.ts";

const limitOptions = ["videoMaxBitrate", "audioMaxBitrate"] as const;

/** Camera, microphone and speaker, and how their sound and picture are processed. */
export function MediaSection() {
  const t = useT();
  const { media } = usePlatform();
  return (
    <>
      <SettingGroup title={t("settingsMedia.devices")}>
        {media === null ? (
          <EmptyState icon={MediaIcon} title={t("settingsMedia.noSupport")} className="py-6">
            {t("unsupported.secureContext")}
            <br />
            {t("unsupported.https")}
          </EmptyState>
        ) : (
          <Devices />
        )}
      </SettingGroup>
      <SettingGroup title={t("settingsMedia.voice")}>
        <SoundRow name="noiseSuppression" />
        <SoundRow name="echoCancellation" />
        <SoundRow name="autoGainControl" />
        <SoundRow name="voiceIsolation" />
      </SettingGroup>
      <SettingGroup title={t("settingsMedia.joining")}>
        <SwitchRow name="joinMuted" />
        <SwitchRow name="joinWithCamera" />
      </SettingGroup>
      <SettingGroup title={t("settingsMedia.sharing")}>
        <PresetRow name="cameraPreset" />
        <PresetRow name="screenPreset" />
        <SoundRow name="suppressLocalAudioPlayback" />
      </SettingGroup>
      <Collapsible title={t("settingsMedia.limits")} opensFor={useAreChanged(limitOptions)} className="mt-6">
        <SettingGroup>
          <NumberRow name="videoMaxBitrate" />
          <NumberRow name="audioMaxBitrate" />
        </SettingGroup>
      </Collapsible>
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
  const { media } = usePlatform();
  const limit = media && constraintLimit(media, name);
  return (
    <SwitchRow name={name} unavailable={limit === null ? undefined : t(`settingsMedia.limit.${limit}`)} />
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
      <ActionRow line={t("media.tryLine")}>
        <Button onClick={() => void tryOut()}>{t("media.try")}</Button>
      </ActionRow>
      {!isNamed && (
        <ActionRow line={t("settingsMedia.allowLine")} className={cx(devices === null && "invisible")}>
          <Button onClick={() => void allow()}>{t("settingsMedia.allow")}</Button>
        </ActionRow>
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
