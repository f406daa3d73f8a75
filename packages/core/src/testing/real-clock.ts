import type { Clock } from "../ports/clock.ts";

/** A clock in real time, for tests on real connections. */
export const realClock: Clock = {
  now: () => Date.now(),
  elapsedMs: () => performance.now(),
  after: (delayMs, callback) => {
    const timer = setTimeout(callback, delayMs);
    return () => clearTimeout(timer);
  },
  every: (periodMs, callback) => {
    const timer = setInterval(callback, periodMs);
    return () => clearInterval(timer);
  },
};
