import { useId } from "react";
import { useT } from "../i18n/use-t.ts";
import { cx } from "../ui/cx.ts";
import type { LocalMedia } from "../ui/device-context.tsx";
import { Switch } from "../ui/switch.tsx";
import type { MediaChoice } from "./media-choice.ts";
import { type Abilities, constraintLimit, type SoundConstraint } from "./media-support.ts";

interface MediaSwitchProps {
  readonly name: SoundConstraint;
  readonly media: LocalMedia;
  /** The capabilities of the device it applies to. */
  readonly abilities?: Abilities;
  readonly choice: MediaChoice;
  readonly onChange: (change: Partial<MediaChoice>) => void;
}

/** Switches an audio constraint, or shows why it cannot be switched here. */
export function MediaSwitch({ name, media, abilities, choice, onChange }: MediaSwitchProps) {
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
