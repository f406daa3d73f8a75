import { TokenBucket } from "@warren/protocol";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { Clock } from "../ports/clock.ts";
import { FramePace } from "./frame-pace.ts";

function clockOf(elapsedMs: () => number): Clock {
  return { elapsedMs, now: elapsedMs, after: () => () => {}, every: () => () => {} };
}

const rates = fc.record({
  burst: fc.integer({ min: 20, max: 400 }),
  perSecond: fc.integer({ min: 1, max: 200 }),
});
const gapsMs = fc.array(fc.integer({ min: 0, max: 3_000 }), { minLength: 1, maxLength: 5 });

it("keeps within any limit, even if now and then nothing arrives for as long as a quarter of the burst takes", () => {
  fc.assert(
    fc.property(rates, gapsMs, fc.nat({ max: 100_000 }), (rate, gaps, phase) => {
      const time = { sent: 0, arrived: 0 };
      const pace = new FramePace(
        rate,
        clockOf(() => time.sent),
      );
      const server = new TokenBucket(
        rate,
        clockOf(() => time.arrived),
      );
      const stallMs = (rate.burst / 4 / rate.perSecond) * 1_000;
      for (const gapMs of gaps) {
        for (let count = 0; count < 2 * rate.burst; count++) {
          time.sent += pace.waitMs;
          pace.spend();
          // Every other stretch of time is a stall; what is sent in it arrives at its end.
          const stretch = Math.floor((time.sent + phase) / stallMs);
          const endsAt = (stretch + 1) * stallMs - phase;
          time.arrived = Math.max(time.arrived, stretch % 2 === 0 ? time.sent : endsAt);
          expect(server.take()).toBe(true);
        }
        time.sent += gapMs;
      }
    }),
    { numRuns: 30 },
  );
});

it("lets a whole attempt to connect pass without a wait, and 36 signals a second under load", () => {
  let ms = 0;
  const clock = clockOf(() => ms);
  const pace = new FramePace({ burst: 150, perSecond: 40 }, clock);
  for (let sent = 0; sent < 80; sent++) {
    expect(pace.waitMs).toBe(0);
    pace.spend();
  }
  const startedAt = ms;
  for (let sent = 0; sent < 360; sent++) {
    ms += pace.waitMs;
    pace.spend();
  }
  expect(ms - startedAt).toBeGreaterThan(9_000);
  expect(ms - startedAt).toBeLessThan(11_000);
});

it("keeps frames in reserve that are not signals", () => {
  const clock = clockOf(() => 0);
  const pace = new FramePace({ burst: 150, perSecond: 40 }, clock);
  const server = new TokenBucket({ burst: 150, perSecond: 40 }, clock);
  while (pace.waitMs === 0) {
    pace.spend();
    server.take();
  }
  expect(server.left).toBeGreaterThanOrEqual(60);
});
