import type { Clock } from "../ports/clock.ts";

const minuteMs = 60_000;

/** Limits how many lanes one side may offer per minute. */
export class OfferBudget {
  readonly #clock: Clock;
  readonly #perMinute: number;
  #offeredAt: readonly number[] = [];

  constructor(clock: Clock, perMinute: number) {
    this.#clock = clock;
    this.#perMinute = perMinute;
  }

  /** Counts an offer. @returns whether it is within the budget. */
  take(): boolean {
    const recent = this.#recent();
    const hasRoom = recent.length < this.#perMinute;
    this.#offeredAt = hasRoom ? [...recent, this.#clock.elapsedMs()] : recent;
    return hasRoom;
  }

  /** Whether nothing counts, so it need not be remembered. */
  get isFull(): boolean {
    return this.#recent().length === 0;
  }

  #recent(): readonly number[] {
    const now = this.#clock.elapsedMs();
    return this.#offeredAt.filter((at) => now - at < minuteMs);
  }
}
