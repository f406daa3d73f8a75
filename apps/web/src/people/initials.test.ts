import { describe, expect, test } from "vitest";
import { hueOf, initials } from "./initials.ts";

describe("initials", () => {
  test.each([
    ["Mara Lindqvist", "ML"],
    ["okafor", "O"],
    ["  Ana  de la Cruz ", "AD"],
    ["élise moreau", "ÉM"],
    ["😀 Face", "😀F"],
    ["🇨🇳 Li", "🇨🇳L"],
    ["👩‍👩‍👧 Family", "👩‍👩‍👧F"],
    ["ß ß", "SS"],
    ["नि का", "निका"],
    ["e\u0301lise moreau", "E\u0301M"],
    ["각 산", "각산"],
    ["Vera (verified)", "VV"],
    ["«Noor»", "N"],
    // With the start of an id.
    ["Everyone\u00A0·\u00A034d4", "E"],
    ["#️⃣ Li", "#️⃣L"],
    ["(", "("],
    ["   ", ""],
  ])("of %j are %j", (name, expected) => {
    expect(initials(name)).toBe(expected);
  });
});

describe("an avatar's hue", () => {
  test("is constant for an id, and every hue is used", () => {
    const ids = Array.from({ length: 400 }, (_, index) => `7d1f2c90-${index}`);
    const seen = new Set(ids.map(hueOf));
    expect([...seen].sort((a, b) => a - b)).toEqual([25, 75, 160, 195, 235, 270, 300, 345]);
    expect(ids.map(hueOf)).toEqual(ids.map(hueOf));
  });
});
