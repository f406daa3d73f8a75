import type { CancelTimer, Clock } from "../clock.ts";

interface Timer {
  readonly dueAt: number;
  readonly callback: () => void;
}

/** A clock that a test advances. */
export class ManualClock implements Clock {
  #elapsedMs = 0;
  /** The time of day when nothing had elapsed. */
  #origin: number;
  readonly #timers = new Set<Timer>();

  constructor(startsAt = Date.UTC(2026, 0, 1)) {
    this.#origin = startsAt;
  }

  now(): number {
    return this.#origin + this.#elapsedMs;
  }

  elapsedMs(): number {
    return this.#elapsedMs;
  }

  /** How many callbacks are still to come. */
  get timers(): number {
    return this.#timers.size;
  }

  /** Sets the time of day, as when a machine's clock is corrected. No time elapses. */
  set(now: number): void {
    this.#origin = now - this.#elapsedMs;
  }

  after(delayMs: number, callback: () => void): CancelTimer {
    const timer = { dueAt: this.#elapsedMs + delayMs, callback };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  /** Advances the time and runs all timers that are due, in order. */
  advance(durationMs: number): void {
    const end = this.#elapsedMs + durationMs;
    for (let timer = this.#next(end); timer; timer = this.#next(end)) {
      this.#timers.delete(timer);
      this.#elapsedMs = Math.max(this.#elapsedMs, timer.dueAt);
      timer.callback();
    }
    this.#elapsedMs = end;
  }

  #next(end: number): Timer | undefined {
    let next: Timer | undefined;
    for (const timer of this.#timers) {
      if (timer.dueAt <= end && (!next || timer.dueAt < next.dueAt)) next = timer;
    }
    return next;
  }
}
