import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { textPieces } from "./text-links.ts";

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

test("ends a link at a bidirectional control", () => {
  expect(linksIn("https://example.org/\u202Egnp.exe")).toEqual(["https://example.org/"]);
  expect(linksIn("\u202Ehttps://example.org/a\u202C b")).toEqual(["https://example.org/a"]);
});
