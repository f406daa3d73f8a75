/// <reference types="node" />
import * as fc from "fast-check";
import { vi } from "vitest";

const isLong = process.env.WARREN_LONG === "1";
if (isLong) vi.setConfig({ testTimeout: 900_000 });

/** Checks a property `quickRuns` times, or `longRuns` times if `WARREN_LONG` is 1. */
export function check<T>(property: fc.IProperty<T>, quickRuns: number, longRuns = 50 * quickRuns): void {
  void fc.assert(property, { numRuns: isLong ? longRuns : quickRuns });
}

/** Texts with everything known to break one: lone surrogates, controls, bidirectional marks, emoji, dots. */
export const hostileText: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      fc.string({ unit: "binary", maxLength: 8 }),
      fc.integer({ min: 0xd7f0, max: 0xe010 }).map((unit) => String.fromCharCode(unit)),
      fc.constantFrom(
        "..",
        "/",
        "\\",
        ":",
        " ",
        ".",
        "_",
        "\0",
        "\n",
        "\u202E",
        "\u200B",
        "\u200D",
        "\u00A0",
        "\uFEFF",
      ),
      fc.constantFrom(
        "CON",
        "nul",
        "COM1",
        "lpt²",
        ".txt",
        ".tar.gz",
        "\u{1F430}",
        "é",
        "e\u0301",
        "日本",
        "__proto__",
      ),
      fc
        .tuple(fc.constantFrom(" ", ".", "_", "a", "\u{1F430}"), fc.nat(300))
        .map(([text, n]) => text.repeat(n)),
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(""));

/** Values of every type and size, unexpected in any field. */
export const junk: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    false,
    -1,
    -0,
    0,
    0.5,
    1e308,
    2 ** 31,
    2 ** 32,
    2 ** 53 - 1,
    2 ** 53,
    -(2 ** 53),
  ),
  fc.constantFrom<unknown>(
    "",
    " ",
    "NaN",
    "Infinity",
    "1",
    "__proto__",
    "constructor",
    "\uD800",
    "room",
    "a".repeat(5_000),
  ),
  fc.constantFrom<unknown>([], {}, [[]], [[0, 1, 2]], [null], { length: 1 }, { toString: 1 }, { toJSON: 1 }),
  fc.constantFrom<unknown>(
    Array.from({ length: 5_000 }, (_, i) => 2 * i),
    [[5, 4]],
    [1, 1],
    [[0, 65_536]],
  ),
  hostileText,
  fc.jsonValue(),
);

/** A valid frame with one value replaced or removed, or with an unknown key added. */
export function mutated(samples: readonly object[]): fc.Arbitrary<string> {
  return fc
    .tuple(
      fc.constantFrom(...samples),
      fc.nat(),
      fc.constantFrom("replace", "remove", "add"),
      strangeKey,
      junk,
    )
    .map(([sample, at, how, key, value]) => {
      const copy: unknown = structuredClone(sample);
      const places = placesOf(copy);
      const place = places[at % places.length];
      if (!place) return JSON.stringify(copy);
      const [parent, name] = place;
      if (how === "remove") Reflect.deleteProperty(parent, name);
      else
        Object.defineProperty(parent, how === "add" ? key : name, {
          value,
          enumerable: true,
          configurable: true,
        });
      return JSON.stringify(copy);
    });
}

/** The text of a valid frame, truncated or with one bit of one character flipped. */
export function damaged(samples: readonly object[]): fc.Arbitrary<string> {
  return fc
    .tuple(fc.constantFrom(...samples), fc.nat(), fc.option(fc.nat(15), { nil: null }))
    .map(([sample, at, bit]) => {
      const text = JSON.stringify(sample);
      const index = at % text.length;
      if (bit === null) return text.slice(0, index);
      const turned = String.fromCharCode(text.charCodeAt(index) ^ (1 << bit));
      return text.slice(0, index) + turned + text.slice(index + 1);
    });
}

const strangeKey = fc.constantFrom(
  "__proto__",
  "constructor",
  "prototype",
  "toJSON",
  "hasOwnProperty",
  "type",
  "0",
  "",
);

function placesOf(value: unknown): [object, string][] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, child]) => [
    [value, name] as [object, string],
    ...placesOf(child),
  ]);
}
