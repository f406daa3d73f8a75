import type { ReactElement } from "react";
import { currentLocale } from "../../i18n/i18n.ts";
import { locales } from "../../i18n/locales.ts";
import { useT } from "../../i18n/use-t.ts";
import { Menu, MenuChoice } from "../../ui/overlays/menu.tsx";
import { languages, useChooseLanguage } from "./use-language.ts";

/** A language menu; its trigger gets the current language's name. */
export function LanguageMenu({ trigger }: { readonly trigger: (name: string) => ReactElement }) {
  const t = useT();
  const choose = useChooseLanguage();
  return (
    <Menu trigger={trigger(locales[currentLocale()].name)}>
      <MenuChoice
        label={t("language.label")}
        value={currentLocale()}
        options={languages}
        onChange={(locale) => void choose(locale)}
      />
    </Menu>
  );
}
