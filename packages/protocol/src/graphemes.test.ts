import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { firstGrapheme, graphemeEnd, graphemeStart, truncated } from "./graphemes.ts";
import { check, hostileText } from "./testing/fuzz.ts";

const written = fc.string({
  unit: fc.constantFrom(
    "a",
    " ",
    "\r\n",
    "e\u0301",
    "🇨🇳",
    "🇩",
    "👩‍👩‍👧",
    "👍🏽",
    "नि",
    "क्ष",
    "각",
    "ß",
    "𠮷",
    "\uD83D",
  ),
  maxLength: 80,
});

describe("the start and the end of a grapheme", () => {
  it("are those of the whole text's graphemes", () => {
    check(
      fc.property(written, fc.double({ min: 0, max: 1, noNaN: true }), (text, fraction) => {
        const index = Math.round(fraction * text.length);
        const grapheme = new Intl.Segmenter().segment(text).containing(index);
        const isBoundary = grapheme === undefined || grapheme.index === index;
        expect(graphemeStart(text, index)).toBe(isBoundary ? index : grapheme.index);
        expect(graphemeEnd(text, index)).toBe(isBoundary ? index : grapheme.index + grapheme.segment.length);
      }),
      1_000,
    );
  });

  it("are between code points in a cluster that is longer than any real one", () => {
    const cluster = `a${"\u0301".repeat(500)}${"\u{1D165}".repeat(50)}`;
    expect(graphemeStart(cluster, 200)).toBe(200);
    expect(graphemeStart(cluster, 502)).toBe(501);
    expect(graphemeEnd(cluster, 502)).toBe(503);
  });

  it("do not depend on how many flags stand before", () => {
    const flags = "🇨🇳".repeat(1_000);
    expect(graphemeStart(flags, 3_998)).toBe(3_996);
    expect(graphemeStart(`🇨${flags}`, 3_998)).toBe(3_996);
    expect(graphemeStart(`a${flags}`, 3_998)).toBe(3_997);
  });
});

describe("a truncated text", () => {
  it("is a prefix that fits and ends with a whole grapheme", () => {
    check(
      fc.property(fc.oneof(hostileText, written), fc.nat(200), (text, lengthMax) => {
        const cut = truncated(text, lengthMax);
        expect(text.startsWith(cut)).toBe(true);
        expect(cut.length).toBeLessThanOrEqual(lengthMax);
        expect(graphemeStart(text, cut.length)).toBe(cut.length);
      }),
      1_000,
    );
  });

  it("is as long as possible", () => {
    expect(truncated("abc😀", 4)).toBe("abc");
    expect(truncated("abc😀", 5)).toBe("abc😀");
    expect(truncated("abcd", 3)).toBe("abc");
  });
});

it.each([
  ["Mara", "M"],
  ["🇨🇳 Li", "🇨🇳"],
  ["👩‍👩‍👧", "👩‍👩‍👧"],
  ["नि", "नि"],
  ["e\u0301", "e\u0301"],
  ["x", "x"],
  ["", ""],
])("the first grapheme of %j is %j", (text, first) => {
  expect(firstGrapheme(text)).toBe(first);
});
