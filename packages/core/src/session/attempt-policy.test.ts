import { WarrenError } from "@warren/protocol";
import { describe, expect, it } from "vitest";
import { graceBeforeFirstMs, isDueOnWake, pauseAfterFailureMs } from "./attempt-policy.ts";

const timeout = new WarrenError("connect-timeout");
const failures = [1, 2, 3, 4, 5, 6, 7, 20, 1_000];

describe("the next attempt", () => {
  it("waits at most 0.5, 1, 2, 4, 8, 16 and then 20 s, and at least a fifth of that", () => {
    const longest = [500, 1_000, 2_000, 4_000, 8_000, 16_000, 20_000, 20_000, 20_000];
    expect(failures.map((n) => pauseAfterFailureMs(timeout, n, 1))).toEqual(longest);
    expect(failures.map((n) => pauseAfterFailureMs(timeout, n, 0))).toEqual(longest.map((ms) => ms / 5));
  });

  it("is spread between the two limits, so that clients that failed together do not retry together", () => {
    expect([0.25, 0.5, 0.75].map((random) => pauseAfterFailureMs(timeout, 7, random))).toEqual([
      8_000, 12_000, 16_000,
    ]);
  });

  it.each(["incorrect-password", "handshake-failed", "approval-needed", "not-verifiable"] as const)(
    "is not made by itself after %s",
    (code) => expect(pauseAfterFailureMs(new WarrenError(code), 1, 0.5)).toBeNull(),
  );

  it("is left to the earlier joiner for 2 s", () => {
    expect([false, true].map(graceBeforeFirstMs)).toEqual([0, 2_000]);
  });

  it("starts at once on a wake, unless one younger than 3 s is running", () => {
    expect([null, 0, 2_999, 3_000].map(isDueOnWake)).toEqual([true, false, false, true]);
  });
});
