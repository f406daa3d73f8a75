import type { ReactElement } from "react";
import { currentLocale, setLocale } from "../i18n/i18n.ts";
import { isLocale, type Locale, locales } from "../i18n/locales.ts";
import { useT } from "../i18n/use-t.ts";
import { Menu, MenuChoice } from "../ui/menu.tsx";
import { toast } from "../ui/toaster.tsx";
import { useWarren } from "./warren-context.tsx";

const options = Object.keys(locales)
  .filter(isLocale)
  .map((value) => ({ value, label: locales[value].name }));

/** Whether there is a language to choose. */
export const hasLanguageChoice = options.length > 1;

/** Chooses the language from a menu under its trigger, which gets the present language's name. */
export function LanguageMenu({ trigger }: { readonly trigger: (name: string) => ReactElement }) {
  const t = useT();
  const { settings } = useWarren();
  const choose = async (locale: Locale): Promise<void> => {
    try {
      await setLocale(locale);
      settings.set("locale", locale);
    } catch {
      toast.error(t("language.failed"));
    }
  };
  return (
    <Menu trigger={trigger(locales[currentLocale()].name)}>
      <MenuChoice
        label={t("language.label")}
        value={currentLocale()}
        options={options}
        onChange={(locale) => void choose(locale)}
      />
    </Menu>
  );
}
