import { randomBytes } from "node:crypto";
import type { Clock } from "../clock.ts";

/** Counts the events of the last `windowMs`, and events reserved for the near future. */
export class Usage {
  readonly #windowMs: number;
  readonly #clock: Clock;
  /** The time of each event, by its id; elapsed time of the clock. */
  readonly #spentAt = new Map<string, number>();
  #reserved = 0;

  constructor(windowMs: number, clock: Clock) {
    this.#windowMs = windowMs;
    this.#clock = clock;
  }

  /** The number of counted events. */
  get spent(): number {
    const since = this.#clock.elapsedMs() - this.#windowMs;
    for (const [id, at] of this.#spentAt) if (at <= since) this.#spentAt.delete(id);
    return this.#spentAt.size;
  }

  /** The number of counted and reserved events. */
  get inUse(): number {
    return this.spent + this.#reserved;
  }

  /** When the oldest event expires, in elapsed time of the clock. */
  get freesAt(): number | undefined {
    if (this.spent === 0) return undefined;
    return Math.min(...this.#spentAt.values()) + this.#windowMs;
  }

  /** The id and age in ms of each counted event. */
  get ages(): ReadonlyMap<string, number> {
    const now = this.spent > 0 ? this.#clock.elapsedMs() : 0;
    return new Map([...this.#spentAt].map(([id, at]) => [id, now - at]));
  }

  reserve(): void {
    this.#reserved += 1;
  }

  /** Releases a reservation that was spent or is not needed. */
  release(): void {
    this.#reserved -= 1;
  }

  /** @returns the id that `refund` takes. */
  spend(): string {
    const id = randomBytes(9).toString("base64url");
    this.restore(id, 0);
    return id;
  }

  /** Counts an event of another process, `ageMs` ago; no more than once. */
  restore(id: string, ageMs: number): void {
    if (!this.#spentAt.has(id)) this.#spentAt.set(id, this.#clock.elapsedMs() - ageMs);
  }

  /** Removes a counted event. */
  refund(id: string): void {
    this.#spentAt.delete(id);
  }
}
