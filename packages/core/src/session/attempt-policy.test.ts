import { describe, expect, it } from "vitest";
import { backoffMs, graceBeforeFirstMs } from "./attempt-policy.ts";

const failures = [1, 2, 3, 4, 5, 6, 7, 20, 1_000];

describe("the next attempt", () => {
  it("waits at most 0.5, 1, 2, 4, 8, 16 and then 20 s, and at least a fifth of that", () => {
    const longest = [500, 1_000, 2_000, 4_000, 8_000, 16_000, 20_000, 20_000, 20_000];
    expect(failures.map((n) => backoffMs(n, 1))).toEqual(longest);
    expect(failures.map((n) => backoffMs(n, 0))).toEqual(longest.map((ms) => ms / 5));
  });

  it("is spread between the two limits, so that clients that failed together do not retry together", () => {
    expect([0.25, 0.5, 0.75].map((random) => backoffMs(7, random))).toEqual([8_000, 12_000, 16_000]);
  });

  it("is left to the earlier joiner for 2 s", () => {
    expect([false, true].map(graceBeforeFirstMs)).toEqual([0, 2_000]);
  });
});
