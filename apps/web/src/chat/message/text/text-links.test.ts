import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { startOf, textPieces, truncatedText } from "./text-links.ts";

const linksIn = (text: string): string[] =>
  textPieces(text).flatMap((piece) => (piece.kind === "link" ? [piece.href] : []));

describe("links in a message", () => {
  test.each([
    ["see https://example.org/a?b=c#d now", "https://example.org/a?b=c#d"],
    ["HTTP://EXAMPLE.ORG", "http://example.org/"],
    ["www.example.org", "https://www.example.org/"],
    ["write to mailto:mara@example.org", "mailto:mara@example.org"],
    ["(https://example.org/wiki/Quay_(film))", "https://example.org/wiki/Quay_(film)"],
    ["Is it https://example.org/a?", "https://example.org/a"],
    ["https://example.org/a, and more.", "https://example.org/a"],
    ["港口在https://example.org/港，照片马上就来。", "https://example.org/%E6%B8%AF"],
    ["（https://example.org/a）", "https://example.org/a"],
    ["见「https://example.org/a」。", "https://example.org/a"],
    ["http://localhost:5173/x", "http://localhost:5173/x"],
    ["访问 https://example.org/docs（中文说明）了解更多", "https://example.org/docs"],
    ["见 https://example.org/a?b=1，谢谢", "https://example.org/a?b=1"],
    ["【https://example.org/x】", "https://example.org/x"],
    ["https://example.org/docs了解更多", "https://example.org/docs"],
    ["https://example.org了解v2.0", "https://example.org/"],
    ["https://example.org/a～b", "https://example.org/a"],
    ["https://example.org/c——好", "https://example.org/c"],
    ["https://example.org/d·e", "https://example.org/d"],
    ["〈https://example.org/f〉", "https://example.org/f"],
    ["‘https://example.org/g’", "https://example.org/g"],
    ["“https://example.org/h”…", "https://example.org/h"],
    ["https://example.org/i🎉", "https://example.org/i"],
    ["詳細はhttps://example.org/jをご覧ください", "https://example.org/j"],
    ["https://example.org/k를 보세요", "https://example.org/k"],
    ["ดูhttps://example.org/lได้", "https://example.org/l"],
    ["mailto:mara@example.org了解", "mailto:mara@example.org"],
    ["www.example.org；", "https://www.example.org/"],
    ["https://example.org/?q=港口 在", "https://example.org/?q=%E6%B8%AF%E5%8F%A3"],
    ["https://яндекс.рф/путь.", "https://xn--d1acpjx3f.xn--p1ai/%D0%BF%D1%83%D1%82%D1%8C"],
    ["https://食狮.中国/港", "https://xn--85x722f.xn--fiqs8s/%E6%B8%AF"],
    ["http://[2001:db8::1]/", "http://[2001:db8::1]/"],
  ])("%s", (text, href) => {
    expect(linksIn(text)).toEqual([href]);
  });

  test.each([
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    "java\tscript:alert(1)",
    "data:text/html,<script>alert(1)</script>",
    "vbscript:msgbox(1)",
    "file:///etc/passwd",
    "ftp://example.org/",
    "xhttps://example.org/",
    "javascript://example.org/%0aalert(1)",
    "https://bank.example@evil.example/",
    "https://user:secret@evil.example/",
    "https://",
    "http:///",
    "https://%00.org",
    "mailto:",
    "mailto:?subject=x",
    "<img src=x onerror=alert(1)>",
    '"><script>alert(1)</script>',
    "https://nodots",
    // Cut within their hosts, these would lead elsewhere.
    "https://www.食狮.com",
    "https://a.b.食狮",
    "https://www.i❤.ws",
    "https://example.org\u202Egnp.exe",
  ])("finds none in %s", (text) => {
    expect(linksIn(text)).toEqual([]);
  });

  test("never includes surrounding markup in an address", () => {
    expect(linksIn('<a href="https://example.org/" onclick="alert(1)">')).toEqual(["https://example.org/"]);
  });

  test("for any text, its parts add up to it and every address is harmless", () => {
    const hostile = fc.string({
      unit: fc.oneof(
        fc.constantFrom(
          "https://",
          "http://",
          "mailto:",
          "javascript:",
          "www.",
          "@",
          ".",
          ":",
          "/",
          "(",
          ")",
          "\u202e",
        ),
        fc.string({ unit: "grapheme", maxLength: 4 }),
      ),
      maxLength: 40,
    });
    fc.assert(
      fc.property(hostile, (text) => {
        const pieces = textPieces(text);
        expect(pieces.map((piece) => piece.text).join("")).toBe(text);
        for (const href of linksIn(text)) expect(href).toMatch(/^(https?:\/\/|mailto:)[^\s"<>]+$/);
      }),
    );
  });

  test.each([
    ["brackets", `https://example.org/${")".repeat(200_000)}`],
    ["links", "https://a.b ".repeat(20_000)],
    ["beginnings", "http://".repeat(30_000)],
  ])("parses a text of only %s in time", (_name, text) => {
    const before = performance.now();
    expect(linksIn(text).length).toBeLessThanOrEqual(200);
    expect(performance.now() - before).toBeLessThan(10_000);
  });
});

describe("a long text", () => {
  const start = (text: string, length = 40, lines = 5) => startOf(textPieces(text), { length, lines });
  const shown = (text: string, length?: number, lines?: number) =>
    start(text, length, lines)
      .pieces.map((piece) => piece.text)
      .join("");

  test("is cut before a link that does not fit, and never within it", () => {
    const text = "Ten letters https://example.org/a/long/path and more";
    expect(shown(text)).toBe("Ten letters ");
    expect(shown(text, 43)).toBe("Ten letters https://example.org/a/long/path");
    expect(start(text, 45).pieces.at(-2)).toMatchObject({ href: "https://example.org/a/long/path" });
  });

  test("is cut between graphemes, whatever they consist of", () => {
    for (const grapheme of ["😀", "🇨🇳", "👩‍👩‍👧", "e\u0301", "नि"]) {
      expect(shown(`${"x".repeat(39)}${grapheme} and more`)).toBe("x".repeat(39));
    }
  });

  test("is cut after its lines, counted through its links", () => {
    expect(shown("a\nb https://a.b\nc\nd\ne\nf", 40, 4)).toBe("a\nb https://a.b\nc\nd");
  });

  test("is whole if it fits", () => {
    expect(start("a https://a.b\nc").isComplete).toBe(true);
    expect(start("a\n".repeat(5)).isComplete).toBe(false);
    expect(start("").isComplete).toBe(true);
  });

  test("is cut before a link where it exceeds a number of bytes", () => {
    expect(truncatedText("港 https://example.org/a", 22)).toBe("港 ");
    expect(truncatedText("港 https://example.org/a", 27)).toBe("港 https://example.org/a");
    expect(truncatedText("港口", 4)).toBe("港");
  });

  test("has the same start and links, cut or not", () => {
    const unit = fc.constantFrom("https://a.b/", "c", " ", "\n", "😀", "🇨🇳", "e\u0301", "港", "，");
    fc.assert(
      fc.property(
        fc.string({ unit, maxLength: 60 }),
        fc.nat(80),
        fc.integer({ min: 1, max: 8 }),
        (text, length, lines) => {
          const pieces = textPieces(text);
          const start = startOf(pieces, { length, lines });
          const links = start.pieces.filter(({ kind }) => kind === "link");
          expect(text.startsWith(start.pieces.map((piece) => piece.text).join(""))).toBe(true);
          expect(pieces.filter(({ kind }) => kind === "link").slice(0, links.length)).toEqual(links);
        },
      ),
    );
  });
});

test("ends a link at a bidirectional control", () => {
  expect(linksIn("https://example.org/\u202Egnp.exe")).toEqual(["https://example.org/"]);
  expect(linksIn("\u202Ehttps://example.org/a\u202C b")).toEqual(["https://example.org/a"]);
});
