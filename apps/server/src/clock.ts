/** Stops a timer; calling it again does nothing. */
export type CancelTimer = () => void;

/** Time as the server sees it, so that tests own it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls back once after `delayMs`. */
  after(delayMs: number, callback: () => void): CancelTimer;
}

/** The machine's own time. Its timers do not keep the process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(delayMs, callback) {
    const timer = setTimeout(callback, delayMs).unref();
    return () => clearTimeout(timer);
  },
};
