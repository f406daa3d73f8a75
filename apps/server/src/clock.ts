/** Stops a timer; calling it again does nothing. */
export type CancelTimer = () => void;

/** Time as the server sees it, so that tests own it. */
export interface Clock {
  /**
   * Milliseconds since the epoch, for what is sent or compared with what another process said. The machine may have it wrong by
   * decades, before 1970 as well, and set it at any moment: whatever is waited for or limited goes by {@link elapsedMs}.
   */
  now(): number;
  /** Milliseconds since some moment of its own; never set back or forward. */
  elapsedMs(): number;
  /** Calls back once after `delayMs`. */
  after(delayMs: number, callback: () => void): CancelTimer;
}

/** The machine's own time. Its timers do not keep the process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  elapsedMs: () => performance.now(),
  after(delayMs, callback) {
    const timer = setTimeout(callback, delayMs).unref();
    return () => clearTimeout(timer);
  },
};
