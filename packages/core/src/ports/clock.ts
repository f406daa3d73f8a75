/** Stops a timer; calling it again does nothing. */
export type CancelTimer = () => void;

/** Time as core sees it, so that tests own it and a browser can run timers where hidden tabs do not slow them. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls back once after `delayMs`. */
  after(delayMs: number, callback: () => void): CancelTimer;
  /** Calls back every `periodMs` until cancelled. */
  every(periodMs: number, callback: () => void): CancelTimer;
}
