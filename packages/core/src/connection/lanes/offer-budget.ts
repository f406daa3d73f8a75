import type { Clock } from "../../ports/clock.ts";

const minuteMs = 60_000;

/** Limits the offers of lanes of one side within a minute. */
export class OfferBudget {
  readonly #clock: Clock;
  readonly #perMinute: number;
  #offeredAt: readonly number[] = [];

  constructor(clock: Clock, perMinute: number) {
    this.#clock = clock;
    this.#perMinute = perMinute;
  }

  /** @returns whether one more offer is within the budget; it then counts. */
  take(): boolean {
    const now = this.#clock.elapsedMs();
    const recent = this.#offeredAt.filter((at) => now - at < minuteMs);
    const hasRoom = recent.length < this.#perMinute;
    this.#offeredAt = hasRoom ? [...recent, now] : recent;
    return hasRoom;
  }
}
