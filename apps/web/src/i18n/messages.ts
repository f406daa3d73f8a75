import type { enUs } from "./en-us.ts";

type English = typeof enUs;

type PluralForm = "zero" | "one" | "two" | "few" | "many" | "other";
type WithoutPlural<K extends string> = K extends `${infer Stem}_${PluralForm}` ? Stem : K;

/** Dotted paths to every text below a node; plural forms count as one. */
type PathsOf<Node> = {
  [K in keyof Node & string]: Node[K] extends string ? WithoutPlural<K> : `${K}.${PathsOf<Node[K]>}`;
}[keyof Node & string];

/** The text at a path; for a plural the union of its forms. */
type TextAt<Node, Path extends string> = Path extends `${infer Head}.${infer Rest}`
  ? Head extends keyof Node
    ? TextAt<Node[Head], Rest>
    : never
  : { [K in keyof Node]: K extends Path | `${Path}_${PluralForm}` ? Node[K] : never }[keyof Node];

type PlaceholdersIn<Text> = Text extends `${string}{{${infer Placeholder}}}${infer Rest}`
  ? Placeholder | PlaceholdersIn<Rest>
  : never;

type IsPlural<Node, Path extends string> = Path extends `${infer Head}.${infer Rest}`
  ? Head extends keyof Node
    ? IsPlural<Node[Head], Rest>
    : never
  : `${Path}_other` extends keyof Node
    ? true
    : false;

/** Every key that can be translated. */
export type TextKey = PathsOf<English>;

/**
 * The values a key's text needs. `count` is a number, because it selects the plural form; numbers are
 * formatted as in the locale.
 */
export type ValuesOf<K extends TextKey> = {
  readonly [P in
    | PlaceholdersIn<TextAt<English, K>>
    | (IsPlural<English, K> extends true ? "count" : never)]: P extends "count" ? number : string | number;
};

/** Translates a key; a wrong key and a missing or superfluous value do not compile. */
export type Translate = <K extends TextKey>(
  key: K,
  ...values: keyof ValuesOf<K> extends never ? [] : [values: ValuesOf<K>]
) => string;

/**
 * The shape of another locale: the same keys; of a plural at least `_other`, and any other forms of the
 * language.
 */
export type LocaleOf<Node> = {
  readonly [K in keyof Node as K extends `${string}_${Exclude<PluralForm, "other">}`
    ? never
    : K]: Node[K] extends string ? string : LocaleOf<Node[K]>;
} & {
  readonly [K in keyof Node as K extends `${infer Stem}_other`
    ? `${Stem}_${Exclude<PluralForm, "other">}`
    : never]?: string;
};

/** A complete set of texts in one language. */
export type LocaleTexts = LocaleOf<typeof enUs>;

/** The English text or group of a key; for any plural form the general one. */
type OriginalOf<Node, K> = K extends `${infer Stem}_${PluralForm}`
  ? `${Stem}_other` extends keyof Node
    ? Node[`${Stem}_other`]
    : Node[K & keyof Node]
  : Node[K & keyof Node];

/** The placeholders that a text must have. "One file" may omit its count, the general form may not. */
type DemandedPlaces<K, Original> = K extends `${string}_${Exclude<PluralForm, "other">}`
  ? Exclude<PlaceholdersIn<Original>, "count">
  : PlaceholdersIn<Original>;

type FaultOf<K, Text, Original> = [Original] extends [never]
  ? "there is no such text in English"
  :
      | `lacks {{${Exclude<DemandedPlaces<K, Original>, PlaceholdersIn<Text>> & string}}}`
      | `does not know {{${Exclude<PlaceholdersIn<Text>, PlaceholdersIn<Original>> & string}}}`;

/** A type no text can have, so that the compiler reports the reason at the text. */
interface Fault<Why> {
  readonly fault: Why;
}

/** A locale's texts if they match the English ones, otherwise faults. */
export type Fitting<Node, Texts> = {
  readonly [K in keyof Texts]: Texts[K] extends string
    ? [FaultOf<K, Texts[K], OriginalOf<Node, K>>] extends [never]
      ? Texts[K]
      : Fault<FaultOf<K, Texts[K], OriginalOf<Node, K>>>
    : Fitting<OriginalOf<Node, K>, Texts[K]>;
};

/**
 * Checks the texts of a language: a missing or unknown key and a missing or unknown `{{value}}` do not
 * compile.
 */
export function localeTexts<const Texts>(texts: Texts & Fitting<English, Texts> & LocaleTexts): LocaleTexts {
  return texts;
}
