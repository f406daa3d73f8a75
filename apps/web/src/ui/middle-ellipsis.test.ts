import { describe, expect, test } from "vitest";
import { cutMiddle } from "./middle-ellipsis.tsx";

/** Every character is one unit wide, and so is the ellipsis. */
const cut = (text: string, available: number): string => cutMiddle(text, available, (length) => length, 1);

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

  test("keeps its tail even if nothing else fits", () => {
    expect(cut("interview.mov", 3)).toBe("…view.mov");
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
