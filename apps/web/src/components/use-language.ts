import { setLocale, wantedLocale } from "../i18n/i18n.ts";
import { isLocale, type Locale, locales } from "../i18n/locales.ts";
import { useT } from "../i18n/use-t.ts";
import { toast } from "../ui/toaster.tsx";
import { useWarren } from "./warren-context.tsx";

/** Every language by its own name. */
export const languages: readonly { readonly value: Locale; readonly label: string }[] = Object.keys(locales)
  .filter(isLocale)
  .map((value) => ({ value, label: locales[value].name }));

/** Gives what switches to a language and keeps the choice; null follows the browser. A failure is shown. */
export function useChooseLanguage(): (choice: Locale | null) => Promise<void> {
  const t = useT();
  const { settings } = useWarren();
  return async (choice) => {
    try {
      await setLocale(wantedLocale(choice, navigator.languages));
      settings.set("locale", choice);
    } catch {
      toast.error(t("language.failed"));
    }
  };
}
