import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { check, hostileText } from "./testing/fuzz.ts";
import { cleanLine, cleanText, isBlank, toWellFormed, truncateUtf8, utf8Length } from "./text.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const units = fc.string({ unit: fc.nat(0xffff).map((unit) => String.fromCharCode(unit)), maxLength: 60 });
const texts = fc.oneof(hostileText, units, fc.string({ unit: "binary" }));

describe("utf8Length", () => {
  it("counts the bytes that TextEncoder writes", () => {
    check(
      fc.property(texts, (text) => {
        expect(utf8Length(text)).toBe(encoder.encode(text).byteLength);
      }),
      1_000,
    );
  });

  it("counts correctly at every boundary between lengths", () => {
    for (const code of [
      0, 0x7f, 0x80, 0x7ff, 0x800, 0xd7ff, 0xd800, 0xdbff, 0xdc00, 0xdfff, 0xe000, 0xffff, 0x10000, 0x10ffff,
    ]) {
      const text = String.fromCodePoint(code);
      expect(utf8Length(text)).toBe(encoder.encode(text).byteLength);
    }
  });
});

describe("toWellFormed", () => {
  it("equals a round trip through UTF-8", () => {
    check(
      fc.property(texts, (text) => {
        expect(toWellFormed(text)).toBe(decoder.decode(encoder.encode(text)));
      }),
      1_000,
    );
  });

  // The built-in method is newer than the oldest supported browser, but not than Node 20.
  it("agrees with the built-in method", () => {
    const builtIn: unknown = Reflect.get(String.prototype, "toWellFormed");
    if (typeof builtIn !== "function") throw new Error("needs a runtime with String.prototype.toWellFormed");
    check(
      fc.property(texts, (text) => {
        expect(toWellFormed(text)).toBe(Reflect.apply(builtIn, text, []));
      }),
      1_000,
    );
  });
});

describe("cleanLine", () => {
  it("leaves one visible line, well formed and trimmed, without delay", () => {
    check(
      fc.property(texts, (text) => {
        const line = cleanLine(text);
        expect(line).not.toMatch(/\p{Cc}|\p{Bidi_Control}|\p{Surrogate}|[\u2028\u2029\u200B\uFEFF]/u);
        expect(line).toBe(line.trim());
        expect(cleanLine(line)).toBe(line);
      }),
      1_000,
    );
  });

  it("does not join surrogates into a hidden character", () => {
    expect(cleanLine("a\uD83D\u0000\uDC30b")).toBe("a\u{1F430}b");
    expect(cleanLine("\uD83D")).toBe("\uFFFD");
  });

  it("keeps emoji and scripts that need joiners", () => {
    for (const text of ["\u{1F469}\u200D\u{1F52C}", "می\u200Cخواهم", "क्\u200Dष", "日本語", "e\u0301"]) {
      expect(cleanLine(text)).toBe(text);
    }
  });
});

describe("cleanText", () => {
  it("keeps lines and tabs, and no other invisible characters", () => {
    check(
      fc.property(texts, (text) => {
        const clean = cleanText(text);
        expect(clean.replace(/[\t\r\n]/g, "")).not.toMatch(
          /\p{Cc}|[\u202A-\u202E\u2066-\u2069]|\p{Surrogate}/u,
        );
        expect(cleanText(clean)).toBe(clean);
      }),
      500,
    );
    expect(cleanText("a\r\n\tb  \n")).toBe("a\r\n\tb  \n");
  });
});

describe("isBlank", () => {
  it.each(["", " ", "\u00A0\u3000", "\u200D", "\u2800", "\u3164\u115F", "\u00AD", "\u{E0041}"])(
    "sees nothing in %j",
    (text) => {
      expect(isBlank(text)).toBe(true);
    },
  );

  it.each(["a", ".", "\u{1F430}", "\u200Da", "0"])("finds a visible character in %j", (text) => {
    expect(isBlank(text)).toBe(false);
  });
});

describe("truncateUtf8", () => {
  it("returns the longest prefix that fits, without splitting a grapheme", () => {
    check(
      fc.property(texts, fc.nat(60), (text, maxBytes) => {
        const cut = truncateUtf8(text, maxBytes);
        expect(text.startsWith(cut)).toBe(true);
        expect(utf8Length(cut)).toBeLessThanOrEqual(maxBytes);
        const next = new Intl.Segmenter().segment(text).containing(cut.length);
        if (next === undefined) expect(cut).toBe(text);
        else if (next.segment.length <= 32) {
          expect(next.index).toBe(cut.length);
          expect(utf8Length(cut) + utf8Length(next.segment)).toBeGreaterThan(maxBytes);
        }
        expect(toWellFormed(cut)).toBe(toWellFormed(text).slice(0, cut.length));
      }),
      1_000,
    );
  });
});
