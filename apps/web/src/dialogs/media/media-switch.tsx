import { useId } from "react";
import type { MediaChoice } from "../../components/media/media-choice.ts";
import { useT } from "../../i18n/use-t.ts";
import { Switch } from "../../ui/switch.tsx";

interface MediaSwitchProps {
  readonly name: {
    [Name in keyof MediaChoice]: MediaChoice[Name] extends boolean ? Name : never;
  }[keyof MediaChoice];
  readonly choice: MediaChoice;
  readonly onChange: (change: Partial<MediaChoice>) => void;
}

/** What becomes of sound, on or off. */
export function MediaSwitch({ name, choice, onChange }: MediaSwitchProps) {
  const t = useT();
  const id = useId();
  return (
    <label
      htmlFor={id}
      className="flex min-h-9 cursor-pointer items-center justify-between gap-4 touch:min-h-11"
    >
      {t(`settings.option.${name}.label`)}
      <Switch id={id} checked={choice[name]} onChange={(isOn) => onChange({ [name]: isOn })} />
    </label>
  );
}
