import type { Clock } from "../ports/clock.ts";

/** Time and timers of the calling thread. */
export const systemClock: Clock = {
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
