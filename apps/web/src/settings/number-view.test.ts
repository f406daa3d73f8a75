import { describe, expect, it } from "vitest";
import { translate } from "../i18n/i18n.ts";
import { numberView } from "./number-view.ts";

describe("a number option on the screen", () => {
  it("has its range and values in the unit shown", () => {
    const chunkSize = numberView("chunkSize", translate);
    expect([chunkSize.min, chunkSize.max, chunkSize.unit]).toEqual([16, 4_096, "KiB"]);
    expect(chunkSize.stored(512)).toBe(524_288);
    expect(chunkSize.text(chunkSize.shown(524_288))).toBe("512 KiB");
  });

  it("ends where a larger value has no further effect", () => {
    expect(numberView("blockSize", translate).max).toBe(63);
    expect(numberView("bufferedAmountLowThreshold", translate).max).toBe(64);
  });

  it("has limits of its own for bitrates and sizes", () => {
    const video = numberView("videoMaxBitrate", translate);
    expect(video.text(video.shown(128_000_000))).toBe("128 Mbit/s");
    expect(video.stored(2.5)).toBe(2_500_000);
    expect(video.problem(2.5)).toBeNull();
    const audio = numberView("audioMaxBitrate", translate);
    expect(audio.text(audio.shown(512_000))).toBe("512 kbit/s");
    expect(numberView("maxFileSize", translate).text(1_024)).toBe("1,024 MiB");
  });

  it("goes to and fro without a rest for shares", () => {
    const view = numberView("backgroundImageOpacity", translate);
    for (let percent = 0; percent <= 100; percent++) expect(view.shown(view.stored(percent))).toBe(percent);
  });

  it("says what is wrong", () => {
    const { problem } = numberView("chunkSize", translate);
    expect(problem(16)).toBeNull();
    expect(problem(15)).toBe("From 16 KiB to 4,096 KiB.");
    expect(problem(4_097)).toBe("From 16 KiB to 4,096 KiB.");
    expect(problem(Number.NaN)).toBe("From 16 KiB to 4,096 KiB.");
    expect(problem(16.5)).toBe("Only whole numbers.");
  });
});
