interface LocaleEntry {
  /** The language's own name. */
  readonly name: string;
  /** The tag used with `Intl`: English formats times as 09:16 and dates as 12 Nov in every region. */
  readonly intl: string;
}

/** Every language. */
export const locales = {
  "en-us": {
    name: "English",
    intl: "en-GB",
  },
  "zh-cn": {
    name: "简体中文",
    intl: "zh-CN",
  },
  "zh-tw": {
    name: "繁體中文",
    intl: "zh-TW",
  },
} as const satisfies Record<string, LocaleEntry>;

export type Locale = keyof typeof locales;

export const defaultLocale: Locale = "en-us";

/** Whether a locale is supported. */
export function isLocale(value: string): value is Locale {
  return Object.hasOwn(locales, value);
}

/**
 * Chinese tags by script and region, including Cantonese; every other language is matched by its first
 * subtag.
 */
const chinese = [
  { pattern: /^(zh-(hant|tw|hk|mo)|yue)\b/, locale: "zh-tw" },
  { pattern: /^zh\b/, locale: "zh-cn" },
] as const;

function match(tag: string): Locale | undefined {
  const wanted = tag.toLowerCase().replaceAll("_", "-");
  if (isLocale(wanted)) return wanted;
  const alias = chinese.find(({ pattern }) => pattern.test(wanted));
  if (alias !== undefined) return alias.locale;
  const language = wanted.split("-")[0];
  return Object.keys(locales)
    .filter(isLocale)
    .find((locale) => locale.split("-")[0] === language);
}

/** The first supported locale among the wanted language tags; English without one. */
export function resolveLocale(wanted: readonly string[]): Locale {
  for (const tag of wanted) {
    const found = match(tag);
    if (found !== undefined) return found;
  }
  return defaultLocale;
}
