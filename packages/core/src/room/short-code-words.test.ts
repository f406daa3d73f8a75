import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { codeWords, completionsOf, readCodeWords } from "./short-code-words.ts";

/** The number of letters to replace, remove or add to turn one word into another. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let i = 1; i <= one.length; i++) {
    const next = [i];
    for (let j = 1; j <= other.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}

/** The consonants of a word by sound: equal for words that could be confused when spoken. */
function soundOf(word: string): string {
  return word
    .replace(/^kn/, "n")
    .replace(/^wr/, "r")
    .replaceAll("ph", "f")
    .replaceAll("ck", "k")
    .replace(/c(?=[eiy])/g, "s")
    .replace(/[cq]/g, "k")
    .replaceAll("x", "ks")
    .replaceAll("z", "s")
    .replaceAll("gh", "")
    .replace(/g(?=[eiy])/g, "j")
    .replaceAll("dg", "j")
    .replace(/(.)\1/g, "$1")
    .replace(/(?!^)[aeiouyhw]+/g, "")
    .replace(/^[aeiou]/, "a")
    .replaceAll("v", "f")
    .replaceAll("d", "t")
    .replaceAll("b", "p")
    .replaceAll("g", "k");
}

describe("the words of codes", () => {
  it("are 1,024, lower-case, and of three to nine letters", () => {
    expect(codeWords).toHaveLength(1_024);
    expect(codeWords.filter((word) => !/^[a-z]{3,9}$/.test(word))).toEqual([]);
  });

  it("have unique first four letters, and none is the beginning of another", () => {
    expect(new Set(codeWords.map((word) => word.slice(0, 4))).size).toBe(codeWords.length);
    const started = codeWords.filter((word) =>
      codeWords.some((other) => other !== word && other.startsWith(word)),
    );
    expect(started).toEqual([]);
  });

  it("sound different, and differ by at least three letters", () => {
    expect(new Set(codeWords.map(soundOf)).size).toBe(codeWords.length);
    const close = codeWords.flatMap((word, at) =>
      codeWords
        .slice(at + 1)
        .filter((other) => Math.abs(word.length - other.length) < 3 && distance(word, other) < 3)
        .map((other) => `${word} ${other}`),
    );
    expect(close).toEqual([]);
  });
});

describe("parsing a code", () => {
  it.each([
    "falcon mirror walrus",
    "  Falcon   MIRROR Walrus ",
    "falcon-mirror-walrus",
    "Falcon, mirror, walrus.",
    "falcon_mirror·walrus",
    "ｆａｌｃｏｎ　ｍｉｒｒｏｒ　ｗａｌｒｕｓ",
    "falc mirr walr",
    "falconn mirro wallrus",
  ])("understands %j", (text) => {
    expect(readCodeWords(text)).toEqual(["falcon", "mirror", "walrus"]);
  });

  it.each([
    "",
    "falcon",
    "falcon mirror",
    "falcon mirror walrus zebra",
    "12 34 56",
    "team lunch friday",
    "walrus and friends",
    // One word is in the list, one differs by a letter.
    "coffee table talk",
    "falcon mirro wahlross",
    "harbour-x2fm",
    "https://warren.example/r/falcon-mirror-walrus",
    "__proto__ constructor toString",
  ])("does not parse %j as a code", (text) => {
    expect(readCodeWords(text)).toBeNull();
  });

  it.each([
    ["falcon mirror wahlross", "wahlross"],
    ["falcon mirror fa", "fa"],
    // One letter from "taco", and the beginning of "tackle".
    ["falcon tack walrus", "tack"],
  ])("returns the unknown word of %j", (text, unknown) => {
    expect(readCodeWords(text)).toEqual({ unknown });
  });

  it("parses every code, and no typo gives another word", () => {
    const word = fc.constantFrom(...codeWords);
    const letter = fc.constantFrom(..."abcdefghijklmnopqrstuvwxyz", "");
    fc.assert(
      fc.property(fc.tuple(word, word, word), fc.nat(8), letter, ([first, second, third], at, typed) => {
        const words = [first, second, third];
        expect(readCodeWords(words.join(" "))).toEqual(words);
        const place = at % second.length;
        const mistyped = second.slice(0, place) + typed + second.slice(place + 1);
        const read = readCodeWords(`${first}-${mistyped}-${third}`);
        expect([words, { unknown: mistyped }]).toContainEqual(read);
      }),
      { numRuns: 300 },
    );
  });

  it("never throws on pasted text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 500 }), (text) => {
        const words = readCodeWords(text);
        expect(!Array.isArray(words) || words.every((word) => codeWords.includes(word))).toBe(true);
        completionsOf(text);
      }),
    );
  });
});

describe("completing a code", () => {
  it("completes the last word, and keeps the text before it", () => {
    expect(completionsOf("falc")).toEqual(["falcon"]);
    expect(completionsOf("Falcon-mirr")).toEqual(["Falcon-mirror"]);
    expect(completionsOf("falcon mirror wal")).toEqual([
      "falcon mirror wallet",
      "falcon mirror walrus",
      "falcon mirror waltz",
    ]);
  });

  it.each([
    "",
    "f",
    "falcon",
    "falcon ",
    "xylon mi",
    "falcon mirror walrus ze",
    "https://warren.example/r/fal",
  ])("offers nothing for %j", (text) => {
    expect(completionsOf(text)).toEqual([]);
  });

  it("offers at most a few words", () => {
    expect(completionsOf("pa").length).toBe(8);
  });
});
