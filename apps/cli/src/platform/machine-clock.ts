import type { Clock } from "@warren/core";

export const machineClock: Clock = {
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
