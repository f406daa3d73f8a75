import { describe, expect, it } from "vitest";
import { ManualClock } from "../testing/manual-clock.ts";
import { TokenBucket } from "./token-bucket.ts";

describe("TokenBucket", () => {
  it("gives its burst, then refills at its rate and never over the burst", () => {
    const clock = new ManualClock();
    const bucket = new TokenBucket({ perSecond: 2, burst: 3 }, clock);
    const takeAll = () => {
      let taken = 0;
      while (bucket.take()) taken++;
      return taken;
    };
    expect(takeAll()).toBe(3);
    clock.advance(1_000);
    expect(takeAll()).toBe(2);
    clock.advance(60_000);
    expect(bucket.full).toBe(true);
    expect(takeAll()).toBe(3);
  });

  it.each([Date.UTC(1969, 6, 20), Date.UTC(2056, 0, 1)])(
    "refills as time passes when the clock is set to %d",
    (at) => {
      const clock = new ManualClock();
      const bucket = new TokenBucket({ perSecond: 1, burst: 1 }, clock);
      expect(bucket.take()).toBe(true);
      clock.set(at);
      expect(bucket.take()).toBe(false);
      clock.advance(1_000);
      expect(bucket.take()).toBe(true);
    },
  );
});
