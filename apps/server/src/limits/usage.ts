import type { Clock } from "../clock.ts";

/** Counts what happened within the last `windowMs` and what is about to happen. */
export class Usage {
  readonly #windowMs: number;
  readonly #clock: Clock;
  #spentAt: number[] = [];
  #reserved = 0;

  constructor(windowMs: number, clock: Clock) {
    this.#windowMs = windowMs;
    this.#clock = clock;
  }

  /** How often it happened. */
  get spent(): number {
    const since = this.#clock.elapsedMs() - this.#windowMs;
    this.#spentAt = this.#spentAt.filter((at) => at > since);
    return this.#spentAt.length;
  }

  /** How often it happened or may yet happen. */
  get inUse(): number {
    return this.spent + this.#reserved;
  }

  /** When the first of what happened will no longer count, by the elapsed time of the clock. */
  get freesAt(): number | undefined {
    if (this.spent === 0) return undefined;
    return Math.min(...this.#spentAt) + this.#windowMs;
  }

  reserve(): void {
    this.#reserved += 1;
  }

  /** What was reserved does not happen, or has been spent. */
  release(): void {
    this.#reserved -= 1;
  }

  /** @returns what `refund` takes. */
  spend(): number {
    const at = this.#clock.elapsedMs();
    this.#spentAt.push(at);
    return at;
  }

  /** What was spent turns out not to count. */
  refund(at: number): void {
    const index = this.#spentAt.indexOf(at);
    if (index >= 0) this.#spentAt.splice(index, 1);
  }
}
