import { describe, expect, it } from "vitest";
import { type CallQuality, firstPace, nextPace } from "./file-pace.ts";

const calm: CallQuality = {
  roundTripMs: 20,
  lossFraction: 0,
  reportedAtMs: null,
  isShort: false,
  sentBytesPerSecond: 1_000_000,
};
const queued = (roundTripMs: number): CallQuality => ({ ...calm, roundTripMs });

/** The pace in kB/s after each second of a call, of files that use it entirely. */
function follow(seconds: readonly CallQuality[], used = 1): number[] {
  let pace = firstPace;
  return seconds.map((second) => {
    pace = nextPace(pace, { ...second, sentBytesPerSecond: used * pace.bytesPerSecond });
    return Math.round(pace.bytesPerSecond / 1_000);
  });
}

describe("files beside a call", () => {
  it("become faster while the call has no queue and no loss", () => {
    expect(follow(Array(4).fill(calm))).toEqual([1_250, 1_563, 1_953, 2_441]);
  });

  it("start slowly again after a pause, since the bandwidth is unknown", () => {
    expect(follow(Array(60).fill(calm), 0)).toEqual(Array(60).fill(1_000));
    const fast = { ...firstPace, bytesPerSecond: 20_000_000 };
    expect(nextPace(fast, { ...calm, sentBytesPerSecond: 5_000 }).bytesPerSecond).toBe(1_000_000);
  });

  it("become slower at once when the call queues behind them, and recover", () => {
    expect(follow([calm, queued(90), queued(70), calm])).toEqual([1_250, 750, 450, 563]);
  });

  it("become slower once per measurement", () => {
    expect(follow([calm, queued(90), queued(90), queued(90), calm])).toEqual([1_250, 750, 750, 750, 938]);
  });

  it("become slower when more than one packet in a hundred is lost", () => {
    const lossy = (reportedAtMs: number) => ({ ...calm, lossFraction: 0.02, reportedAtMs });
    expect(follow([lossy(1), lossy(1), lossy(1), lossy(2)])).toEqual([600, 600, 600, 360]);
    expect(follow([{ ...lossy(1), lossFraction: 0.01 }])).toEqual([1_250]);
  });

  it("become slower when a watched picture lacks bandwidth", () => {
    expect(follow([calm, { ...calm, isShort: true }])).toEqual([1_250, 750]);
  });

  it("treat a long path as long, not as congested", () => {
    expect(follow(Array(3).fill(queued(300))).at(-1)).toBe(1_953);
  });

  it("never stop, whatever is measured", () => {
    const worst = { ...calm, roundTripMs: null, lossFraction: 1, isShort: true };
    expect(follow(Array(60).fill(worst)).at(-1)).toBe(32);
  });
});
