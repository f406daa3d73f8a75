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

  it("takes nothing away when the clock is set back", () => {
    const clock = new ManualClock();
    const bucket = new TokenBucket({ perSecond: 1, burst: 2 }, clock);
    clock.advance(-60_000);
    expect(bucket.take()).toBe(true);
  });
});
