import { Settings } from "@warren/core";
import { setLocale, wantedLocale } from "../../i18n/i18n.ts";
import { localKeyValueStorage } from "../../platform/local-key-value-storage.ts";

/** How long an empty page waits for its words. */
const patienceMs = 1_500;

/**
 * Switches to the person's language before anything is drawn, and reads the choice ahead of the core, so that its words
 * are fetched while that starts. Words that do not come, or not soon, leave English for now: `useLanguage` goes on.
 */
export async function speakFirst(): Promise<void> {
  const { locale } = new Settings(localKeyValueStorage(() => {})).get();
  await Promise.race([
    setLocale(wantedLocale(locale, navigator.languages)).catch(() => {}),
    new Promise((resolve) => setTimeout(resolve, patienceMs)),
  ]);
}
