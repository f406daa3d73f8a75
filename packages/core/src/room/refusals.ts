import { type ClientId, limits } from "@warren/protocol";
import type { Clock } from "../ports/clock.ts";

const maxViolations = 20;
const periodMs = 10 * 60_000;

/** Clients we refuse: for 10 minutes after too many violations, or until admitted after a person refuses one. */
export class Refusals {
  readonly #clock: Clock;
  readonly #records = new Map<ClientId, { count: number; until: number }>();
  readonly #refused = new Set<ClientId>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Counts a violation. @returns whether it exceeds the limit: the 20th within 10 minutes of the first. */
  note(clientId: ClientId): boolean {
    this.#forgetOld();
    const record = this.#records.get(clientId) ?? { count: 0, until: this.#clock.elapsedMs() + periodMs };
    record.count += 1;
    this.#records.set(clientId, record);
    if (record.count !== maxViolations) return false;
    record.until = this.#clock.elapsedMs() + periodMs;
    return true;
  }

  /** Refuses a client until it is admitted. */
  refuse(clientId: ClientId): void {
    this.#refused.add(clientId);
  }

  /** Reverts {@link refuse}; violations still count. */
  admit(clientId: ClientId): void {
    this.#refused.delete(clientId);
  }

  /** How long a client remains refused, in ms: 0 if it is not refused, Infinity if only {@link admit} ends it. */
  remainingMs(clientId: ClientId): number {
    if (this.#refused.has(clientId)) return Number.POSITIVE_INFINITY;
    const record = this.#records.get(clientId);
    if (record === undefined || record.count < maxViolations) return 0;
    return Math.max(0, record.until - this.#clock.elapsedMs());
  }

  #forgetOld(): void {
    const now = this.#clock.elapsedMs();
    for (const [clientId, { until }] of this.#records) {
      if (until <= now || this.#records.size > limits.roomMembers) this.#records.delete(clientId);
      else break;
    }
  }
}
