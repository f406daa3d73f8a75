import * as v from "valibot";

// Hostile input can hold thousands of issues; only the first is reported.
v.setGlobalConfig({ abortEarly: true });

export { v };

/** A safe integer within bounds, both inclusive. */
export function integer(min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER) {
  return v.pipe(v.number(), v.safeInteger(), v.minValue(min), v.maxValue(max));
}

/** A number that JSON can express: not infinite, not NaN. */
export const finiteNumber = v.pipe(v.number(), v.finite());

/** A text of at most `max` characters, counted as code points. */
export function textUpTo(max: number) {
  return v.pipe(v.string(), maxCharacters(max));
}

/** Limits the characters of a text, counted as code points; `v.maxLength` counts UTF-16 units. */
export function maxCharacters(max: number) {
  return v.check<string>((text) => text.length <= max || countUpTo(text, max + 1) <= max);
}

/** A list of at most `max` items. Counted first: checking each of ten thousand items would take half a second. */
export function listUpTo<T extends v.GenericSchema>(item: T, max: number) {
  return v.pipe(v.custom<unknown[]>(Array.isArray), v.maxLength(max), v.array(item));
}

/** An object used as a map; `v.record` alone also accepts arrays. */
export function recordOf<K extends v.GenericSchema<string, string>, V extends v.GenericSchema>(
  key: K,
  value: V,
) {
  return v.pipe(v.custom<object>(isRecord), v.record(key, value));
}

/** A schema of an object whose field `Key` holds one of some texts. */
type Option<Key extends string> = v.GenericSchema & {
  readonly entries: Readonly<
    Record<Key, v.LiteralSchema<string, undefined> | v.PicklistSchema<readonly string[], undefined>>
  >;
};

/**
 * One of several objects, distinguished by the text in their field `key`, which is looked up: `v.variant` tries one
 * option after another, which takes 24 attempts for an unknown type of message.
 */
export function unionBy<const Key extends string, const Options extends readonly Option<Key>[]>(
  key: Key,
  options: Options,
) {
  const optionOf = new Map(
    options.flatMap((option) => {
      const field = option.entries[key];
      return (field.type === "literal" ? [field.literal] : field.options).map((name) => [name, option]);
    }),
  );
  const none = v.object({ [key]: v.picklist([...optionOf.keys()]) });
  const find = (input: unknown) => optionOf.get(Object(input)[key]) ?? none;
  return { ...v.lazy(find as (input: unknown) => Options[number]), options };
}

function isRecord(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The code points of a text, or `enough` if there are at least as many. */
function countUpTo(text: string, enough: number): number {
  let count = 0;
  for (const _ of text) if (++count === enough) break;
  return count;
}
