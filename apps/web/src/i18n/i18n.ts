import type { ErrorDescription } from "@warren/protocol";
import { enUs } from "./en-us.ts";
import { defaultLocale, type Locale, resolveLocale } from "./locales.ts";
import type { LocaleTexts, TextKey, Translate } from "./messages.ts";
import { createTranslator, type TextValues, type Translator } from "./translator.ts";

/** The texts of every language, one file each. English is part of the first code; the others are fetched with it. */
const texts: Readonly<Record<Locale, () => Promise<LocaleTexts | typeof enUs>>> = {
  "en-us": async () => enUs,
  "zh-cn": async () => (await import("./zh-cn.ts")).zhCn,
  "zh-tw": async () => (await import("./zh-tw.ts")).zhTw,
};

const english = createTranslator(defaultLocale, enUs);
/** The languages that have been loaded. */
const loaded = new Map<Locale, Translator>([[defaultLocale, english]]);
let current = english;
let currentT = newTranslate();
let lastRequest = 0;
/** In development, `?locale=test` shows the keys of texts, so that words that have none stand out. Tests may run in Node. */
const showsKeys =
  import.meta.env.DEV &&
  typeof location !== "undefined" &&
  new URLSearchParams(location.search).get("locale") === "test";
const listeners = new Set<() => void>();

/** The locale for a stored choice, or for the browser's languages without one. */
export function wantedLocale(choice: string | null, browserLanguages: readonly string[]): Locale {
  return resolveLocale(choice === null ? browserLanguages : [choice]);
}

/** The language tag of a locale for browsers and screen readers. */
export function languageTag(locale: Locale): string {
  return new Intl.Locale(locale).toString();
}

async function load(locale: Locale): Promise<Translator> {
  const translator = loaded.get(locale) ?? createTranslator(locale, await texts[locale]());
  loaded.set(locale, translator);
  return translator;
}

/**
 * Loads a locale's texts if needed and switches to it. Rejects without a change if they cannot be fetched.
 */
export async function setLocale(locale: Locale): Promise<void> {
  const request = ++lastRequest;
  const translator = locale === current.locale ? current : await load(locale);
  if (request !== lastRequest) return; // another language was chosen meanwhile
  current = translator;
  currentT = newTranslate();
  document.documentElement.lang = languageTag(locale);
  for (const listener of listeners) listener();
}

/** The languages that the reader knows, as BCP 47 tags: the app's, then the browser's. */
export function readerLanguages(): readonly string[] {
  return [languageTag(current.locale), ...navigator.languages];
}

/** The current locale. */
export function currentLocale(): Locale {
  return current.locale;
}

/**
 * Subscribes to changes of the locale.
 * @returns a function that unsubscribes.
 */
export function onLocaleChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** A text whose key and values are only known together at run time. */
export function translateKey(key: string, values: TextValues): string {
  if (showsKeys) return `[${[key, ...Object.values(values)].join(" ")}]`;
  return current.translate(key, values) ?? english.translate(key, values) ?? key;
}

function newTranslate(): Translate {
  return (key, ...[values]) => translateKey(key, values ?? {});
}

/**
 * The translate function of the current locale: a new one after every change, as a dependency of memoized
 * texts.
 */
export function currentTranslate(): Translate {
  return currentT;
}

/** Translates outside of components; inside, use `useT`. */
export const translate: Translate = newTranslate();

/** An error as a text: what happened and what to do. */
export function errorText({ code, values }: ErrorDescription): string {
  // An error code without a text does not compile here.
  const key: TextKey = `error.${code}`;
  return translateKey(key, values);
}
