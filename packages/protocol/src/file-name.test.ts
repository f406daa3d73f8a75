import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isOriginalOf, originalOf, safeFileName } from "./file-name.ts";
import { limits } from "./limits.ts";
import { check, hostileText } from "./testing/fuzz.ts";
import { cleanLine, utf8Length } from "./text.ts";

const rabbit = "\u{1F430}";

function expectSafe(name: string) {
  const safe = safeFileName(name);
  expect(safe).not.toBe("");
  expect(utf8Length(safe)).toBeLessThanOrEqual(limits.fileNameBytes);
  expect(safe).not.toMatch(/[/\\:*?"<>|]|\p{Cc}|\p{Surrogate}|[\u202A-\u202E\u2066-\u2069]/u);
  expect(safe).not.toMatch(/^\.+$|[.\s]$|^\s/u);
  expect(safe).not.toMatch(/^(con|prn|aux|nul|com\d|lpt\d)\s*(\.|$)/iu);
  expect(safeFileName(safe)).toBe(safe);
}

describe("safeFileName", () => {
  it.each([
    "report.pdf",
    ".env",
    ".gitignore",
    "a..b",
    "...and more.txt",
    "no extension",
    "archive.tar.gz",
    "日本語 – naïve.txt",
    `${rabbit}.png`,
    "\u{1F469}\u200D\u{1F52C}.png",
    "console.log",
    "com10.txt",
    "_private",
    "a (1).txt",
    "100%.csv",
  ])("leaves %j alone", (name) => {
    expect(safeFileName(name)).toBe(name);
  });

  it.each([
    ["", "file"],
    [" ", "file"],
    [".", "file"],
    ["..", "file"],
    ["...", "file"],
    [". .", "file"],
    ["/", "file"],
    ["///", "file"],
    ['\\:*?"<>|', "file"],
    ["../..", "file"],
    ["../../etc/passwd", "_.._etc_passwd"],
    ["..\\..\\boot.ini", "_.._boot.ini"],
    ["/etc/passwd", "_etc_passwd"],
    ["\\\\host\\share", "__host_share"],
    ["C:\\x", "C__x"],
    ["C:x", "C_x"],
    ["a\0.txt", "a.txt"],
    ["a.txt\0.exe", "a.txt.exe"],
    ["x:$DATA", "x_$DATA"],
    ["photo\u202Egpj.exe", "photogpj.exe"],
    ["\u2066a\u2069.txt", "a.txt"],
    ["\u200B\u2060", "file"],
    ["\u200D", "file"],
    ["trailing. . .", "trailing"],
    ["a.\u00A0.", "a"],
    ["  lead.txt", "lead.txt"],
    ["CON", "_CON"],
    ["con.txt", "_con.txt"],
    ["Nul.tar.gz", "_Nul.tar.gz"],
    ["con .txt", "_con .txt"],
    ["COM1", "_COM1"],
    ["lpt².log", "_lpt².log"],
    ["CONOUT$", "_CONOUT$"],
    ["con\u202E", "_con"],
    ["con.", "_con"],
    ["\uD800.txt", "\uFFFD.txt"],
  ])("makes %j into %j", (name, safe) => {
    expect(safeFileName(name)).toBe(safe);
    expectSafe(name);
  });

  it("shortens a name to 240 bytes, leaving browsers room for a suffix, and keeps its extension", () => {
    expect(safeFileName(`${"a".repeat(4_096)}.tar.gz`)).toBe(`${"a".repeat(237)}.gz`);
    expect(safeFileName(`${"a".repeat(236)}.txt`)).toHaveLength(240);
    expect(safeFileName("a".repeat(240))).toBe("a".repeat(240));
    expect(safeFileName("a".repeat(255))).toBe("a".repeat(240));
  });

  it("cuts between graphemes", () => {
    expect(safeFileName(rabbit.repeat(1_024))).toBe(rabbit.repeat(60));
    expect(safeFileName(`a${rabbit.repeat(1_024)}.png`)).toBe(`a${rabbit.repeat(58)}.png`);
    expect(safeFileName("é".repeat(200))).toBe("é".repeat(120));
    // A letter with a combining mark; an emoji of several code points.
    expect(safeFileName("e\u0301".repeat(200))).toBe("e\u0301".repeat(80));
    const scientist = "\u{1F469}\u200D\u{1F52C}";
    expect(safeFileName(scientist.repeat(100))).toBe(scientist.repeat(21));
  });

  it("does not treat a long tail as an extension", () => {
    expect(safeFileName(`a.${"b".repeat(300)}`)).toBe(`a.${"b".repeat(238)}`);
  });

  it.each([
    `.${" ".repeat(300)}x`,
    `.${" ".repeat(300)}._x`,
    `${".".repeat(300)}a`,
    `CON${" ".repeat(300)}.txt`,
    `CON${" ".repeat(300)}x`,
    `${"_".repeat(255)}a`,
    `con.${"x".repeat(251)}`,
    `a${". ".repeat(2_000)}b`,
    "/".repeat(4_096),
    "../".repeat(1_365),
    `${"\u200D".repeat(200)}a`,
  ])("remains safe where the cut itself could do harm (case %#)", (name) => {
    expectSafe(name);
  });

  it("is safe for any name, and leaves a safe name unchanged", () => {
    check(fc.property(hostileText, expectSafe), 2_000);
  });
});

describe("the original of a safe name", () => {
  it.each([
    ["a: b.txt", "a: b.txt"],
    ["bell\u0007.txt", "bell\\u0007.txt"],
    ["tab\there.txt", "tab\\u0009here.txt"],
    ["photo\u202Egpj.exe", "photo\\u202egpj.exe"],
    ["zero\u200Bwidth.txt", "zero\\u200bwidth.txt"],
    ["\u0007a: b?.txt", "\\u0007a: b?.txt"],
  ])("is shown with what was removed written out: %j", (name, shown) => {
    expect(originalOf(name)).toBe(shown);
    expect(isOriginalOf(safeFileName(name), shown)).toBe(true);
  });

  it.each(["report.pdf", "\u{1F469}\u200D\u{1F52C}.png", " report.pdf "])(
    "is not shown beside %j",
    (name) => {
      expect(originalOf(name)).toBeUndefined();
    },
  );

  it("is refused for another name, written out or not", () => {
    expect(isOriginalOf("setup.exe", "holiday\\u202egpj.exe")).toBe(false);
    expect(isOriginalOf("setup.exe", "setup\\u0041.exe")).toBe(false);
    expect(isOriginalOf("setup.exe", "\\u0007")).toBe(false);
  });

  it("is accepted by every receiver, and shows every character", () => {
    check(
      fc.property(hostileText, (name) => {
        const shown = originalOf(name);
        if (shown === undefined) return;
        expect(isOriginalOf(safeFileName(name), shown)).toBe(true);
        expect(cleanLine(shown)).toBe(shown);
      }),
      2_000,
    );
  });
});
