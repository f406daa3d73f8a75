import { describe, expect, it } from "vitest";
import { backgroundPictureFrom, fitInto } from "./background-picture.ts";

describe("a background picture", () => {
  it("fits into the square, keeps its aspect ratio and is never enlarged", () => {
    expect(fitInto(4_000, 3_000, 1_920)).toEqual({ width: 1_920, height: 1_440 });
    expect(fitInto(3_000, 4_000, 1_920)).toEqual({ width: 1_440, height: 1_920 });
    expect(fitInto(640, 480, 1_920)).toEqual({ width: 640, height: 480 });
    expect(fitInto(10_000, 1, 1_920)).toEqual({ width: 1_920, height: 1 });
  });

  it("is rejected if it is not a picture", async () => {
    const file = new File(["text"], "notes.txt", { type: "text/plain" });
    await expect(backgroundPictureFrom(file)).rejects.toMatchObject({ code: "invalid-avatar" });
  });
});
