import { useId } from "react";
import { SkinToneChoice } from "../chat/emoji/skin-tone-choice.tsx";
import { wantedLocale } from "../i18n/i18n.ts";
import { locales } from "../i18n/locales.ts";
import { useT } from "../i18n/use-t.ts";
import { Collapsible } from "../ui/collapsible.tsx";
import { Select } from "../ui/fields/select.tsx";
import { ThemeChoice } from "../wiring/preferences/theme-choice.tsx";
import { languages, useChooseLanguage } from "../wiring/preferences/use-language.ts";
import { useTheme } from "../wiring/preferences/use-theme.ts";
import { printedKeys } from "../wiring/shortcuts/printed-keys.ts";
import { useOption } from "../wiring/warren-context.ts";
import { BackgroundRow } from "./background-row.tsx";
import { ChoiceRow } from "./rows/choice-row.tsx";
import { SliderRow, SwitchRow } from "./rows/option-rows.tsx";
import { SettingGroup } from "./rows/setting-group.tsx";
import { labelIdOf, noteIdsOf, SettingRow } from "./rows/setting-row.tsx";
import { useAreChanged, useSetting } from "./rows/use-setting.ts";

/** Theme, language, background and composing. */
export function AppearanceSection() {
  const t = useT();
  const hasBackground = useOption("backgroundImage") !== null;
  return (
    <>
      <SettingGroup>
        <ThemeRow />
        <LanguageRow />
        <BackgroundRow />
        {hasBackground && <SliderRow name="backgroundImageOpacity" />}
      </SettingGroup>
      <SettingGroup title={t("settingsAppearance.writing")}>
        <SwitchRow name="enterSends" />
        <SwitchRow name="tellTyping" />
        <SkinToneRow />
        <ChoiceRow
          label={t("settings.choice.clipboard.label")}
          help={printedKeys(t("settings.choice.clipboard.help"))}
          choices={[
            {
              value: "off",
              label: t("settings.choice.clipboard.off"),
              options: { enableClipboard: false, pasteUnasked: false },
            },
            {
              value: "ask",
              label: t("settings.choice.clipboard.ask"),
              options: { enableClipboard: true, pasteUnasked: false },
            },
            {
              value: "send",
              label: t("settings.choice.clipboard.send"),
              options: { enableClipboard: true, pasteUnasked: true },
            },
          ]}
        />
      </SettingGroup>
      <Collapsible
        title={t("settingsAppearance.initials")}
        opensFor={useAreChanged(["avatarService"])}
        className="mt-6"
      >
        <SettingGroup>
          <SwitchRow name="avatarService" />
        </SettingGroup>
      </Collapsible>
    </>
  );
}

function ThemeRow() {
  const t = useT();
  const { theme, setTheme } = useTheme();
  return (
    <SettingRow
      id={useId()}
      label={t("settings.option.theme.label")}
      help={t("settings.option.theme.help")}
      byDefault={t("settings.default", { value: t("theme.system") })}
      onReset={theme === "system" ? undefined : () => setTheme("system")}
      control={<ThemeChoice />}
    />
  );
}

function SkinToneRow() {
  const t = useT();
  const { isDefault, reset } = useSetting("skinTone");
  return (
    <SettingRow
      id={useId()}
      label={t("settings.option.skinTone.label")}
      help={t("settings.option.skinTone.help")}
      byDefault={t("settings.default", { value: t("emojiChoice.tones.none") })}
      onReset={isDefault ? undefined : reset}
      control={<SkinToneChoice />}
    />
  );
}

function LanguageRow() {
  const t = useT();
  const id = useId();
  const locale = useOption("locale");
  const choose = useChooseLanguage();
  const { name } = locales[wantedLocale(null, navigator.languages)];
  const byBrowser = t("settingsAppearance.browserLanguage", { name });
  // A language that this build lacks is shown as the one used instead.
  const value = locale === null ? "browser" : wantedLocale(locale, []);
  return (
    <SettingRow
      id={id}
      label={t("settings.option.locale.label")}
      help={t("settings.option.locale.help")}
      byDefault={t("settings.default", { value: byBrowser })}
      onReset={locale === null ? undefined : () => void choose(null)}
      control={
        <span className="shrink-0 md:w-56">
          <Select
            value={value}
            options={[{ value: "browser" as const, label: byBrowser }, ...languages]}
            onChange={(next) => void choose(next === "browser" ? null : next)}
            aria-labelledby={labelIdOf(id)}
            aria-describedby={noteIdsOf(id)}
          />
        </span>
      }
    />
  );
}
