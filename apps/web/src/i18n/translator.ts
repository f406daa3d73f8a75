import { type Locale, locales } from "./locales.ts";
import { gap } from "./spacing.ts";

/** Values for the placeholders of a text. */
export type TextValues = Readonly<Record<string, string | number>>;

/** A locale's texts, with its number format and plural rules. */
export interface Translator {
  readonly locale: Locale;
  /** The text of a dotted key with its placeholders filled in; undefined if the locale has none. */
  translate(key: string, values: TextValues): string | undefined;
}

/** Texts by key, in groups. */
export interface TextTree {
  readonly [name: string]: string | undefined | TextTree;
}

/** Every text by its dotted key. */
function flatten(tree: TextTree, prefix = ""): [key: string, text: string][] {
  return Object.entries(tree).flatMap(([name, node]): [string, string][] => {
    if (node === undefined) return [];
    return typeof node === "string" ? [[prefix + name, node]] : flatten(node, `${prefix}${name}.`);
  });
}

/** Prepares a locale's texts for translating. */
export function createTranslator(locale: Locale, texts: TextTree): Translator {
  const byKey = new Map(flatten(texts));
  const plurals = new Intl.PluralRules(locales[locale].intl);
  const numbers = new Intl.NumberFormat(locales[locale].intl);

  const textOf = (key: string, { count }: TextValues): string | undefined =>
    typeof count === "number"
      ? (byKey.get(`${key}_${plurals.select(count)}`) ?? byKey.get(`${key}_other`) ?? byKey.get(key))
      : byKey.get(key);

  return {
    locale,
    // A single pass, so that user input is never read as a placeholder.
    translate: (key, values) =>
      textOf(key, values)?.replaceAll(
        /\{\{(\w+)\}\}/g,
        (placeholder: string, name: string, at: number, text: string) => {
          const given = values[name] ?? "";
          const value = typeof given === "number" ? numbers.format(given) : given;
          // Only the value decides whether a space is needed.
          return gap(text.slice(0, at), value) + value + gap(value, text.slice(at + placeholder.length));
        },
      ),
  };
}
