import { useSyncExternalStore } from "react";
import { currentLocale, currentTranslate, onLocaleChange } from "./i18n.ts";
import type { Locale } from "./locales.ts";
import type { Translate } from "./messages.ts";

/** The current locale; re-renders when the language changes. */
export function useLocale(): Locale {
  return useSyncExternalStore(onLocaleChange, currentLocale);
}

/** The translate function; re-renders when the language changes. */
export function useT(): Translate {
  return useSyncExternalStore(onLocaleChange, currentTranslate);
}
