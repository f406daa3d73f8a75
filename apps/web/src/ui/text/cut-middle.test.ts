import { describe, expect, test } from "vitest";
import { cutMiddle } from "./cut-middle.ts";

/** Every character is one unit wide, and so is the ellipsis. */
const cut = (text: string, available: number, uncut = 0): string =>
  cutMiddle(text, available, (length) => length, 1, uncut);

describe("a name too long for its place", () => {
  test("is unchanged if it fits exactly", () => {
    expect(cut("tide_tables.xlsx", 16)).toBe("tide_tables.xlsx");
  });

  test("keeps its last four characters and the extension, and fills the available width", () => {
    expect(cut("interview_A-cam_0412_graded.mov", 23)).toBe("interview_A-ca…aded.mov");
    expect(cut("interview_B-cam_0412.mov", 20)).toBe("interview_B…0412.mov");
  });

  test("keeps its last four characters without an extension", () => {
    expect(cut("Location scouting", 10)).toBe("Locat…ting");
    expect(cut(".gitattributes_of_mine", 9)).toBe(".git…mine");
  });

  test("keeps its extension if those characters do not fit, or nothing else does", () => {
    expect(cut("plans.dwg", 8)).toBe("pla….dwg");
    expect(cut("interview.mov", 3)).toBe("….mov");
    expect(cut("Location scouting", 4)).toBe("Loc…");
  });

  test("keeps what follows it", () => {
    expect(cut("interview_B-cam_0412.mov and 2 more", 27, 11)).toBe("intervi…0412.mov and 2 more");
    expect(cut("Location scouting and 2 more", 21, 11)).toBe("Locat…ting and 2 more");
    expect(cut("a.txt and 2 more", 13, 11)).toBe("a… and 2 more");
  });

  test.each([
    ["😀😀😀😀😀😀.png", 12, "😀…😀😀.png"],
    ["🇨🇳🇨🇳🇨🇳🇨🇳.png", 16, "🇨🇳…🇨🇳.png"],
    ["👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧.png", 20, "…👩‍👩‍👧.png"],
    ["e\u0301e\u0301e\u0301e\u0301e\u0301e\u0301.png", 12, "e\u0301…e\u0301e\u0301.png"],
  ])("never splits a grapheme of %s", (name, available, shown) => {
    expect(cut(name, available)).toBe(shown);
  });
});
