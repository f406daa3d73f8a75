import type { Clock } from "../clock.ts";

/** How fast something may happen: `burst` times at once, then `perSecond`. */
export interface Rate {
  readonly perSecond: number;
  readonly burst: number;
}

/** Counts what may still happen at a given rate. */
export class TokenBucket {
  readonly #rate: Rate;
  readonly #clock: Clock;
  #tokens: number;
  #filledAt: number;

  constructor(rate: Rate, clock: Clock) {
    this.#rate = rate;
    this.#clock = clock;
    this.#tokens = rate.burst;
    this.#filledAt = clock.elapsedMs();
  }

  /** Takes one token; false when there is none. @param now the elapsed time of the clock */
  take(now = this.#clock.elapsedMs()): boolean {
    this.#fill(now);
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }

  /** Whether nothing was taken lately, so that forgetting the bucket changes nothing. */
  get full(): boolean {
    this.#fill(this.#clock.elapsedMs());
    return this.#tokens >= this.#rate.burst;
  }

  #fill(now: number): void {
    const elapsedS = (now - this.#filledAt) / 1000;
    this.#tokens = Math.min(this.#rate.burst, this.#tokens + elapsedS * this.#rate.perSecond);
    this.#filledAt = now;
  }
}
