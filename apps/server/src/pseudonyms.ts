import { createHmac, randomBytes } from "node:crypto";
import type { Clock } from "./clock.ts";

const dayMs = 86_400_000;

/** Pseudonyms for addresses and room tags in logs: stable for a day; the key exists only in memory. */
export class Pseudonyms {
  readonly #clock: Clock;
  #key = randomBytes(32);
  #rotateAt: number;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#rotateAt = clock.elapsedMs() + dayMs;
  }

  /** @returns 12 characters that stand for `value` until the key rotates. */
  of(value: string): string {
    const now = this.#clock.elapsedMs();
    if (now >= this.#rotateAt) {
      this.#key = randomBytes(32);
      this.#rotateAt = now + dayMs;
    }
    return createHmac("sha256", this.#key).update(value).digest("base64url").slice(0, 12);
  }
}
