import { currentLocale } from "../i18n/i18n.ts";
import { useT } from "../i18n/use-t.ts";
import { MenuChoice } from "./menu-items.tsx";
import { languages, useChooseLanguage } from "./use-language.ts";

/** The items of {@link LanguageMenu} (language-menu.tsx). */
export function LanguageChoice() {
  const t = useT();
  const choose = useChooseLanguage();
  return (
    <MenuChoice
      label={t("language.label")}
      value={currentLocale()}
      options={languages}
      onChange={(locale) => void choose(locale)}
    />
  );
}
