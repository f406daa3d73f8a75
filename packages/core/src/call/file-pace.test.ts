import { describe, expect, it } from "vitest";
import { type CallQuality, firstPace, nextPace } from "./file-pace.ts";

/** How fast files may be sent, in kB/s, after each second of a call. */
function follow(seconds: readonly CallQuality[]): number[] {
  let pace = firstPace;
  return seconds.map((second) => {
    pace = nextPace(pace, second);
    return Math.round(pace.bytesPerSecond / 1_000);
  });
}

const calm: CallQuality = { roundTripMs: 20, lossShare: 0 };

describe("files beside a call", () => {
  it("become faster while nothing of the call waits or is lost", () => {
    expect(follow(Array(4).fill(calm))).toEqual([1_250, 1_563, 1_953, 2_441]);
  });

  it("become slower at once when the call waits behind them, and recover", () => {
    expect(
      follow([calm, { roundTripMs: 90, lossShare: 0 }, { roundTripMs: 70, lossShare: 0 }, calm]),
    ).toEqual([1_250, 750, 450, 563]);
  });

  it("become slower when more than one packet in a hundred is lost", () => {
    expect(follow([{ ...calm, lossShare: 0.02 }])).toEqual([600]);
    expect(follow([{ ...calm, lossShare: 0.01 }])).toEqual([1_250]);
  });

  it("take a far line for far, not for full", () => {
    expect(follow(Array(3).fill({ roundTripMs: 300, lossShare: 0 })).at(-1)).toBe(1_953);
  });

  it("never stand still, whatever is measured", () => {
    expect(follow(Array(60).fill({ roundTripMs: null, lossShare: 1 })).at(-1)).toBe(32);
  });
});
