import { Settings } from "@warren/core";
import { setLocale, wantedLocale } from "../../i18n/i18n.ts";
import { localKeyValueStorage } from "../../platform/web-storage.ts";

/** How long an empty page waits for its translation. */
const patienceMs = 1_500;

/**
 * Switches to the user's language before the first render. Reads the choice before the core starts, so that
 * the translation is fetched in parallel. If it fails or is slow, the page starts in English and
 * `useLanguage` retries.
 */
export async function speakFirst(): Promise<void> {
  const { locale } = new Settings(localKeyValueStorage(() => {})).get();
  await Promise.race([
    setLocale(wantedLocale(locale, navigator.languages)).catch(() => {}),
    new Promise((resolve) => setTimeout(resolve, patienceMs)),
  ]);
}
