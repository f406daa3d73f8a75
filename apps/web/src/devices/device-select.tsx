import { type ComponentProps, type ReactNode, useId } from "react";
import { useT } from "../i18n/use-t.ts";
import { Select } from "../ui/fields/select.tsx";

const kinds = { camera: "videoinput", microphone: "audioinput", speaker: "audiooutput" } as const;

/** The purposes of devices. */
export type DeviceWord = keyof typeof kinds;

/** The devices of one kind. */
export function devicesFor(
  word: DeviceWord,
  devices: readonly MediaDeviceInfo[] | null,
): readonly MediaDeviceInfo[] {
  return (devices ?? []).filter(({ kind }) => kind === kinds[word]);
}

interface DeviceSelectProps extends Omit<ComponentProps<typeof Select>, "value" | "options" | "onChange"> {
  readonly word: DeviceWord;
  /** All devices, of every kind; null while unknown. */
  readonly devices: readonly MediaDeviceInfo[] | null;
  /** Null: the browser's choice. */
  readonly value: string | null;
  readonly onChange: (deviceId: string | null) => void;
}

/** Selects a device of one kind. A selected device that is not plugged in is kept and marked. */
export function DeviceSelect({ word, devices, value, onChange, ...rest }: DeviceSelectProps) {
  const t = useT();
  const ofKind = devicesFor(word, devices);
  // Without permission, browsers list devices without ids.
  const named = ofKind.filter(({ deviceId }) => deviceId !== "");
  const choices = named.map(({ deviceId, label }, index) => ({
    value: deviceId,
    label: label === "" ? t(`settingsMedia.${word}`, { number: index + 1 }) : label,
  }));
  const isMissing = value !== null && !choices.some((choice) => choice.value === value);
  const isUnknown = devices === null || named.length < ofKind.length;
  const options = [
    { value: "", label: t("settingsMedia.standard") },
    ...choices,
    ...(isMissing ? [{ value, label: t(isUnknown ? "settingsMedia.kept" : "settingsMedia.gone") }] : []),
  ];
  return (
    <Select
      value={value ?? ""}
      options={options}
      onChange={(next) => onChange(next === "" ? null : next)}
      {...rest}
    />
  );
}

interface DeviceFieldProps {
  readonly word: DeviceWord;
  readonly devices: readonly MediaDeviceInfo[] | null;
  readonly value: string | null;
  readonly onChange: (deviceId: string | null) => void;
  readonly children?: ReactNode;
}

/** A labelled select of a device, with its test below. */
export function DeviceField({ word, children, ...rest }: DeviceFieldProps) {
  const t = useT();
  const id = useId();
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <label htmlFor={id} className="text-compact font-medium">
        {t(`settings.option.${word}Id.label`)}
      </label>
      <DeviceSelect id={id} word={word} {...rest} />
      {children}
    </div>
  );
}
