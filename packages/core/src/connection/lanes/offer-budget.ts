import type { Clock } from "../../ports/clock.ts";

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
    const now = this.#clock.elapsedMs();
    const recent = this.#offeredAt.filter((at) => now - at < minuteMs);
    const hasRoom = recent.length < this.#perMinute;
    this.#offeredAt = hasRoom ? [...recent, now] : recent;
    return hasRoom;
  }
}
