import { type SkinTone, skinTones } from "@warren/core";
import { useId } from "react";
import { useT } from "../../i18n/use-t.ts";
import { useOption, useWarren } from "../../wiring/warren-context.ts";

/** A hand in each tone. */
const hands: Readonly<Record<SkinTone, string>> = {
  none: "✋",
  light: "✋🏻",
  "medium-light": "✋🏼",
  medium: "✋🏽",
  "medium-dark": "✋🏾",
  dark: "✋🏿",
};

/** The skin tone of the emoji to choose from, as radio buttons side by side. */
export function SkinToneChoice() {
  const t = useT();
  const name = useId();
  const { settings } = useWarren();
  const chosen = useOption("skinTone");
  return (
    <div role="radiogroup" aria-label={t("emojiChoice.skinTone")} className="flex">
      {skinTones.map((tone) => (
        <label
          key={tone}
          title={t(`emojiChoice.tones.${tone}`)}
          className="flex size-8 cursor-pointer items-center justify-center rounded-control text-[18px] hover:bg-hover has-[:checked]:bg-selected has-[:focus-visible]:outline-2 has-[:focus-visible]:outline-focus touch:size-11 touch:text-[20px] forced-colors:has-[:checked]:border"
        >
          <input
            type="radio"
            name={name}
            aria-label={t(`emojiChoice.tones.${tone}`)}
            checked={tone === chosen}
            onChange={() => settings.set("skinTone", tone)}
            className="sr-only"
          />
          <span aria-hidden="true" className="font-emoji">
            {hands[tone]}
          </span>
        </label>
      ))}
    </div>
  );
}
