import { describe, expect, it } from "vitest";
import { translate } from "../../i18n/i18n.ts";
import { numberView } from "./number-view.ts";

describe("the view of a number option", () => {
  it("shows its range and values in the display unit", () => {
    const chunkSize = numberView("chunkSize", translate);
    expect([chunkSize.min, chunkSize.max, chunkSize.unit]).toEqual([16, 4_096, "KiB"]);
    expect(chunkSize.stored(512)).toBe(524_288);
    expect(chunkSize.text(chunkSize.shown(524_288))).toBe("512 KiB");
  });

  it("caps the range at the largest value that has an effect", () => {
    expect(numberView("blockSize", translate).max).toBe(63);
    expect(numberView("bufferedAmountLowThreshold", translate).max).toBe(64);
  });

  it("has its own units and limits for bitrates and sizes", () => {
    const video = numberView("videoMaxBitrate", translate);
    expect(video.text(video.shown(128_000_000))).toBe("128 Mbit/s");
    expect(video.stored(2.5)).toBe(2_500_000);
    expect(video.problem(2.5)).toBeNull();
    const audio = numberView("audioMaxBitrate", translate);
    expect(audio.text(audio.shown(512_000))).toBe("512 kbit/s");
    const limit = numberView("maxFileSize", translate);
    expect(limit.text(limit.shown(1024 ** 3))).toBe("1 GB");
    expect(limit.text(limit.shown(1_500_000_000))).toBe("1.5 GB");
  });

  it("converts fractions both ways without rounding errors", () => {
    const view = numberView("backgroundImageOpacity", translate);
    for (let percent = 0; percent <= 100; percent++) expect(view.shown(view.stored(percent))).toBe(percent);
  });

  it("reports invalid values", () => {
    const { problem } = numberView("chunkSize", translate);
    expect(problem(16)).toBeNull();
    expect(problem(15)).toBe("From 16 KiB to 4,096 KiB.");
    expect(problem(4_097)).toBe("From 16 KiB to 4,096 KiB.");
    expect(problem(Number.NaN)).toBe("From 16 KiB to 4,096 KiB.");
    expect(numberView("maxFileSize", translate).problem(0)).toBe("From 1 MB to 1,000 GB.");
    expect(problem(16.5)).toBe("Only whole numbers.");
  });
});
