import { describe, expect, it } from "vitest";
import { TokenBucket } from "./token-bucket.ts";

describe("TokenBucket", () => {
  const clock = { ms: 0, elapsedMs: () => clock.ms };

  it("allows its burst, then refills at its rate, up to the burst", () => {
    const bucket = new TokenBucket({ perSecond: 2, burst: 3 }, clock);
    const takeAll = () => {
      let taken = 0;
      while (bucket.take()) taken++;
      return taken;
    };
    expect(takeAll()).toBe(3);
    clock.ms += 1_000;
    expect(bucket.isFull).toBe(false);
    expect(takeAll()).toBe(2);
    clock.ms += 60_000;
    expect(bucket.isFull).toBe(true);
    expect(takeAll()).toBe(3);
  });

  it("tells how long until it has enough", () => {
    const bucket = new TokenBucket({ perSecond: 2, burst: 3 }, clock);
    expect(bucket.waitMs(3)).toBe(0);
    bucket.take(3);
    expect([bucket.waitMs(), bucket.waitMs(3)]).toEqual([500, 1_500]);
    clock.ms += bucket.waitMs();
    expect(bucket.take()).toBe(true);
  });

  it("takes several tokens at once, or none", () => {
    const bucket = new TokenBucket({ perSecond: 10, burst: 5 }, clock);
    expect(bucket.take(6)).toBe(false);
    expect(bucket.take(4)).toBe(true);
    expect(bucket.take(2)).toBe(false);
    expect(bucket.left).toBe(1);
    clock.ms += 100;
    expect(bucket.take(2)).toBe(true);
  });

  it("lends tokens, which are paid back first", () => {
    const bucket = new TokenBucket({ perSecond: 10, burst: 5 }, clock);
    expect(bucket.waitMs(5)).toBe(0);
    bucket.spend(8);
    expect(bucket.waitMs(2)).toBe(500);
    clock.ms += 499;
    expect(bucket.take(2)).toBe(false);
    clock.ms += 1;
    expect(bucket.take(2)).toBe(true);
  });

  it("uses the time given by the caller, if any", () => {
    const bucket = new TokenBucket({ perSecond: 1, burst: 1 }, clock);
    expect(bucket.take(1, clock.ms)).toBe(true);
    expect(bucket.take(1, clock.ms + 999)).toBe(false);
    expect(bucket.take(1, clock.ms + 1_000)).toBe(true);
  });
});
