import { type Rate, TokenBucket } from "./token-bucket.ts";

/** Token buckets by key. Full ones are forgotten, which changes nothing, as a new one begins full. */
export class TokenBuckets {
  readonly #clock: { elapsedMs(): number };
  readonly #sweepFrom: number;
  readonly #buckets = new Map<string, TokenBucket>();
  #sweepAt: number;

  /** @param sweepFrom how many are held before full ones are looked for */
  constructor(clock: { elapsedMs(): number }, sweepFrom = 10_000) {
    this.#clock = clock;
    this.#sweepFrom = sweepFrom;
    this.#sweepAt = sweepFrom;
  }

  /** @param rate that of a new bucket; the same for each call with this key */
  of(key: string, rate: Rate): TokenBucket {
    const known = this.#buckets.get(key);
    if (known) return known;
    this.#sweep();
    const bucket = new TokenBucket(rate, this.#clock);
    this.#buckets.set(key, bucket);
    return bucket;
  }

  /** Runs rarely: the threshold doubles with the remaining entries, so a flood of keys costs constant time each. */
  #sweep(): void {
    if (this.#buckets.size < this.#sweepAt) return;
    for (const [key, bucket] of this.#buckets) if (bucket.isFull) this.#buckets.delete(key);
    this.#sweepAt = Math.max(this.#sweepFrom, 2 * this.#buckets.size);
  }
}
