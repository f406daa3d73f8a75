/** Stops a timer; calling it again does nothing. */
export type CancelTimer = () => void;

/** Time as core sees it, so that tests own it and a browser can run timers where hidden tabs do not slow them. */
export interface Clock {
  /**
   * Milliseconds since the epoch, for what people read and what is kept or sent. The machine may have it wrong by decades,
   * before 1970 as well, and set it at any moment: whatever is waited for, limited or measured goes by {@link elapsedMs}.
   */
  now(): number;
  /** Milliseconds since some moment of its own; never set back or forward. */
  elapsedMs(): number;
  /** Calls back once after `delayMs`. */
  after(delayMs: number, callback: () => void): CancelTimer;
  /** Calls back every `periodMs` until cancelled. */
  every(periodMs: number, callback: () => void): CancelTimer;
}
