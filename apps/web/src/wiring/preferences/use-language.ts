import { useEffect } from "react";
import { currentLocale, languageTag, setLocale, translate, wantedLocale } from "../../i18n/i18n.ts";
import { isLocale, type Locale, locales } from "../../i18n/locales.ts";
import { toast } from "../toast.ts";
import { useOption, useWarren } from "../warren-context.ts";

/** Every language by its own name. */
export const languages: readonly {
  readonly value: Locale;
  readonly label: string;
  readonly lang: string;
}[] = Object.keys(locales)
  .filter(isLocale)
  .map((value) => ({ value, label: locales[value].name, lang: languageTag(value) }));

/** Switches to a language. If its translation cannot be fetched, a toast offers to do so with a reload, see missing-code.ts. */
async function changeLocale(locale: Locale, onChanged: () => void = () => {}): Promise<void> {
  try {
    await setLocale(locale);
    onChanged();
  } catch {
    const reload = (): void => {
      onChanged();
      location.reload();
    };
    toast.error(translate("language.failed", { language: locales[locale].name }), {
      description: translate("language.failedLine"),
      action: { label: translate("common.tryAgain"), onClick: reload },
    });
  }
}

/**
 * Returns a function that switches to a language and stores the choice; null follows the browser. Failures
 * are shown.
 */
export function useChooseLanguage(): (choice: Locale | null) => Promise<void> {
  const { settings } = useWarren();
  return (choice) =>
    changeLocale(wantedLocale(choice, navigator.languages), () => settings.set("locale", choice));
}

/**
 * Applies the language option whenever it changes, including one whose translation was missing at startup.
 */
export function useLanguage(): void {
  const choice = useOption("locale");
  useEffect(() => {
    const locale = wantedLocale(choice, navigator.languages);
    if (locale !== currentLocale()) void changeLocale(locale);
  }, [choice]);
}
