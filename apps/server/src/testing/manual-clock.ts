import type { CancelTimer, Clock } from "../clock.ts";

interface Timer {
  readonly dueAt: number;
  readonly callback: () => void;
}

/** A clock that stands still until a test moves it. */
export class ManualClock implements Clock {
  #now = Date.UTC(2026, 0, 1);
  readonly #timers = new Set<Timer>();

  now(): number {
    return this.#now;
  }

  after(delayMs: number, callback: () => void): CancelTimer {
    const timer = { dueAt: this.#now + delayMs, callback };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  /** Moves time on, calling back every timer that falls due, in order. */
  advance(durationMs: number): void {
    const end = this.#now + durationMs;
    for (let timer = this.#next(end); timer; timer = this.#next(end)) {
      this.#timers.delete(timer);
      this.#now = Math.max(this.#now, timer.dueAt);
      timer.callback();
    }
    this.#now = end;
  }

  #next(end: number): Timer | undefined {
    let next: Timer | undefined;
    for (const timer of this.#timers) {
      if (timer.dueAt <= end && (!next || timer.dueAt < next.dueAt)) next = timer;
    }
    return next;
  }
}
