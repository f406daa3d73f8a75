/** Stops a timer; calling it again does nothing. */
export type CancelTimer = () => void;

/** Time as core sees it, so that tests control it and browsers can run timers that hidden tabs do not slow down. */
export interface Clock {
  /**
   * Milliseconds since the epoch, for display, storage and messages. The machine's clock may be wrong by decades, even
   * before 1970, and may be set at any moment: use {@link elapsedMs} for waiting, limits and measurements.
   */
  now(): number;
  /** Milliseconds since an arbitrary start; monotonic, never adjusted. */
  elapsedMs(): number;
  /** Calls back once after `delayMs`. */
  after(delayMs: number, callback: () => void): CancelTimer;
  /** Calls back every `periodMs` until cancelled. */
  every(periodMs: number, callback: () => void): CancelTimer;
}
