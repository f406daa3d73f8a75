import type { ErrorDescription } from "@warren/protocol";
import { enUs as firstWords } from "./en-us.ts?first";
import { defaultLocale, type Locale, locales, resolveLocale } from "./locales.ts";
import type { MessageKey, Translate } from "./messages.ts";
import { createTranslator, type TextValues, type Translator } from "./translator.ts";

/** In a build only the words of the first screens: see build/first-words.ts. */
let english = createTranslator(defaultLocale, firstWords);
/** The languages whose whole file has been loaded. */
const loaded = new Map<Locale, Translator>();
let current = english;
let words = wordsOf();
let lastRequest = 0;
const listeners = new Set<() => void>();

/** The locale for a stored choice, or for the browser's languages without one. */
export function wantedLocale(choice: string | null, browserLanguages: readonly string[]): Locale {
  return resolveLocale(choice === null ? browserLanguages : [choice]);
}

/** The tag that tells browsers and screen readers which language a locale is. */
export function languageTag(locale: Locale): string {
  return new Intl.Locale(locale).toString();
}

async function load(locale: Locale): Promise<Translator> {
  const translator = loaded.get(locale) ?? createTranslator(locale, await locales[locale].load());
  loaded.set(locale, translator);
  if (locale === defaultLocale) english = translator;
  return translator;
}

/** Loads what is not yet here of the words of the language in use. Rejects when they cannot be fetched. */
export async function loadAllWords(): Promise<void> {
  const translator = loaded.get(current.locale) ?? (await load(current.locale));
  if (translator.locale === current.locale) current = translator;
}

/** Loads a locale's texts if needed and switches to it. Rejects when they cannot be fetched; nothing changes then. */
export async function setLocale(locale: Locale): Promise<void> {
  const request = ++lastRequest;
  const translator = locale === current.locale ? current : await load(locale);
  if (request !== lastRequest) return; // another language was chosen meanwhile
  current = translator;
  words = wordsOf();
  document.documentElement.lang = languageTag(locale);
  for (const listener of listeners) listener();
}

/** The locale in use. */
export function currentLocale(): Locale {
  return current.locale;
}

/** Calls back after every change of the locale. @returns what stops that. */
export function onLocaleChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function insert(key: string, values: TextValues): string {
  return current.translate(key, values) ?? english.translate(key, values) ?? key;
}

function wordsOf(): Translate {
  return (key, ...[values]) => insert(key, values ?? {});
}

/** Translates into the language in use, and is another function after every change of it, for what is remembered. */
export function currentWords(): Translate {
  return words;
}

/** Translates outside of components; inside use `useT`. */
export const translate: Translate = wordsOf();

/** An error in the user's words: what happened and what to do. */
export function errorText({ code, values }: ErrorDescription): string {
  // A code without words does not compile here.
  const key: MessageKey = `error.${code}`;
  return insert(key, values);
}
