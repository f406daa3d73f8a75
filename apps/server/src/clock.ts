/** Stops a timer; calling it again does nothing. */
export type CancelTimer = () => void;

/** The server's time, which tests control. */
export interface Clock {
  /**
   * Milliseconds since the epoch, only for times that are sent or compared with those of other processes. It may be
   * wrong by decades, even before 1970, and change at any moment: timers and limits use {@link elapsedMs}.
   */
  now(): number;
  /** Milliseconds since an arbitrary moment; monotonic. */
  elapsedMs(): number;
  /** Calls back once after `delayMs`. */
  after(delayMs: number, callback: () => void): CancelTimer;
}

/** The machine's clock. Its timers do not keep the process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  elapsedMs: () => performance.now(),
  after(delayMs, callback) {
    const timer = setTimeout(callback, delayMs).unref();
    return () => clearTimeout(timer);
  },
};

/** Resolves after `durationMs`, or when `ended` is aborted. */
export function sleep(clock: Clock, durationMs: number, ended: AbortSignal): Promise<void> {
  if (ended.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = () => {
      cancel();
      ended.removeEventListener("abort", end);
      resolve();
    };
    const cancel = clock.after(durationMs, end);
    ended.addEventListener("abort", end);
  });
}
