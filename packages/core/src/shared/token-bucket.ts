import type { Clock } from "../ports/clock.ts";

/** How much may be taken at once, and how fast that comes back. */
export interface Rate {
  readonly burst: number;
  readonly perSecond: number;
}

/** A rate limit that allows bursts. Begins full. */
export class TokenBucket {
  readonly #rate: Rate;
  readonly #clock: Clock;
  #tokens: number;
  #filledAtMs: number;

  constructor(rate: Rate, clock: Clock) {
    this.#rate = rate;
    this.#clock = clock;
    this.#tokens = rate.burst;
    this.#filledAtMs = clock.elapsedMs();
  }

  /** The tokens that can be taken now. */
  get left(): number {
    const now = this.#clock.elapsedMs();
    const gained = (Math.max(0, now - this.#filledAtMs) / 1_000) * this.#rate.perSecond;
    this.#tokens = Math.min(this.#rate.burst, this.#tokens + gained);
    this.#filledAtMs = now;
    return this.#tokens;
  }

  get isFull(): boolean {
    return this.left === this.#rate.burst;
  }

  /** @returns false, without taking any, if there are too few. */
  take(tokens = 1): boolean {
    if (this.left < tokens) return false;
    this.#tokens -= tokens;
    return true;
  }
}
