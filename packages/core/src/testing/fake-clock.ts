import type { CancelTimer, Clock } from "../ports/clock.ts";
import { isWorkUnderWay } from "./work-under-way.ts";

interface Timer {
  dueAt: number;
  readonly periodMs: number | null;
  readonly callback: () => void;
}

/** A clock that stands still until a test advances it. */
export class FakeClock implements Clock {
  readonly #timers = new Set<Timer>();
  #elapsedMs = 0;
  /** The offset of the time of day from the elapsed time. */
  #epochMs: number;

  /** @param now ms since the epoch. */
  constructor(now = 1_700_000_000_000) {
    this.#epochMs = now;
  }

  /** The number of pending timers; must be zero once everything that uses the clock is closed. */
  get timerCount(): number {
    return this.#timers.size;
  }

  /** Whole, as `Date.now`, although timers may be due in between. */
  now(): number {
    return Math.floor(this.#epochMs + this.#elapsedMs);
  }

  elapsedMs(): number {
    return this.#elapsedMs;
  }

  /** Changes the time of day without elapsing time. */
  set(now: number): void {
    this.#epochMs = now - this.#elapsedMs;
  }

  /** Elapses time in which no timer runs, as for a suspended page. */
  suspend(durationMs: number): void {
    this.#elapsedMs += durationMs;
    for (const timer of this.#timers) timer.dueAt += durationMs;
  }

  after(delayMs: number, callback: () => void): CancelTimer {
    return this.#add({ dueAt: this.#elapsedMs + delayMs, periodMs: null, callback });
  }

  every(periodMs: number, callback: () => void): CancelTimer {
    return this.#add({ dueAt: this.#elapsedMs + periodMs, periodMs, callback });
  }

  /** Advances time: runs each timer when it is due, with its consequences, before the next one. */
  async advance(durationMs: number): Promise<void> {
    const end = this.#elapsedMs + durationMs;
    await settle();
    for (let timer = this.#next(end); timer !== undefined; timer = this.#next(end)) {
      this.#run(timer);
      await settle();
    }
    this.#elapsedMs = end;
  }

  /** Advances time for what depends on timers alone: nothing else happens between them. */
  tick(durationMs: number): void {
    const end = this.#elapsedMs + durationMs;
    for (let timer = this.#next(end); timer !== undefined; timer = this.#next(end)) this.#run(timer);
    this.#elapsedMs = end;
  }

  #run(timer: Timer): void {
    this.#elapsedMs = Math.max(this.#elapsedMs, timer.dueAt);
    if (timer.periodMs === null) this.#timers.delete(timer);
    else timer.dueAt += timer.periodMs;
    timer.callback();
  }

  #add(timer: Timer): CancelTimer {
    this.#timers.add(timer);
    return () => {
      this.#timers.delete(timer);
    };
  }

  #next(end: number): Timer | undefined {
    let next: Timer | undefined;
    for (const timer of this.#timers) {
      if (timer.dueAt <= end && (next === undefined || timer.dueAt < next.dueAt)) next = timer;
    }
    return next;
  }
}

/** How many turns of the event loop consequences take that wait for nothing but the next turn. */
const turns = 30;

/** Completes all pending work that does not depend on a clock. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < turns; turn++) {
    await new Promise((resolve) => setImmediate(resolve));
    while (isWorkUnderWay()) {
      await new Promise((resolve) => setTimeout(resolve, 0));
      turn = 0;
    }
  }
}
