import { useEffect } from "react";
import { currentLocale, languageTag, setLocale, translate, wantedLocale } from "../i18n/i18n.ts";
import { isLocale, type Locale, locales } from "../i18n/locales.ts";
import { toast } from "./toaster.tsx";
import { useOptions, useWarren } from "./warren-context.tsx";

/** Every language by its own name, which is in that language too. */
export const languages: readonly {
  readonly value: Locale;
  readonly label: string;
  readonly lang: string;
}[] = Object.keys(locales)
  .filter(isLocale)
  .map((value) => ({ value, label: locales[value].name, lang: languageTag(value) }));

/** Switches to a language. When its words cannot be fetched, a toast says so and offers to try again. */
async function speak(locale: Locale, onSpoken?: () => void): Promise<void> {
  try {
    await setLocale(locale);
  } catch {
    toast.error(translate("language.failed", { language: locales[locale].name }), {
      description: translate("language.failedLine"),
      action: { label: translate("common.tryAgain"), onClick: () => void speak(locale, onSpoken) },
    });
    return;
  }
  onSpoken?.();
}

/** Gives what switches to a language and keeps the choice; null follows the browser. A failure is shown. */
export function useChooseLanguage(): (choice: Locale | null) => Promise<void> {
  const { settings } = useWarren();
  return (choice) => speak(wantedLocale(choice, navigator.languages), () => settings.set("locale", choice));
}

/** Keeps to the language that the options ask for, whatever changes them; also where it was not there at the start. */
export function useLanguage(): void {
  const { locale: choice } = useOptions();
  useEffect(() => {
    const locale = wantedLocale(choice, navigator.languages);
    if (locale !== currentLocale()) void speak(locale);
  }, [choice]);
}
