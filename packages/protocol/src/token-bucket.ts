/** A rate limit: `burst` events at once, then `perSecond`. */
export interface Rate {
  readonly burst: number;
  readonly perSecond: number;
}

/** A rate limit that allows bursts, for the server and for peers. Begins full. */
export class TokenBucket {
  readonly #rate: Rate;
  readonly #clock: { elapsedMs(): number };
  #tokens: number;
  #filledAtMs: number;

  constructor(rate: Rate, clock: { elapsedMs(): number }) {
    this.#rate = rate;
    this.#clock = clock;
    this.#tokens = rate.burst;
    this.#filledAtMs = clock.elapsedMs();
  }

  /** The tokens that can be taken now. */
  get left(): number {
    return this.#fill(this.#clock.elapsedMs());
  }

  /** Whether the bucket is full, so that it can be forgotten. */
  get isFull(): boolean {
    return this.left === this.#rate.burst;
  }

  /** How long until this many tokens can be taken, in ms. */
  waitMs(tokens = 1): number {
    return Math.ceil(Math.max(0, ((tokens - this.left) / this.#rate.perSecond) * 1_000));
  }

  /** @param nowMs the clock's `elapsedMs`, if known. @returns false, without taking any, if there are too few. */
  take(tokens = 1, nowMs = this.#clock.elapsedMs()): boolean {
    if (this.#fill(nowMs) < tokens) return false;
    this.#tokens -= tokens;
    return true;
  }

  /** Takes tokens that may be missing: what is owed is paid back before any can be taken. */
  spend(tokens: number): void {
    this.#fill(this.#clock.elapsedMs());
    this.#tokens -= tokens;
  }

  #fill(nowMs: number): number {
    const gained = ((nowMs - this.#filledAtMs) / 1_000) * this.#rate.perSecond;
    this.#filledAtMs = nowMs;
    this.#tokens = Math.min(this.#rate.burst, this.#tokens + gained);
    return this.#tokens;
  }
}
