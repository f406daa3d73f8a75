import { type ClientId, limits } from "@warren/protocol";
import type { Clock } from "../ports/clock.ts";

const maxViolations = 20;
const periodMs = 10 * 60_000;

/** Clients we refuse: for 10 minutes after too many violations, or until admitted after a person refuses one. */
export class Refusals {
  readonly #clock: Clock;
  /** Those below the limit, the oldest first. */
  readonly #violations = new Map<
    ClientId,
    { count: number; readonly until: number; readonly issue: string }
  >();
  /** When the refusal of those above it ends, and their first violation. */
  readonly #violators = new Map<ClientId, { readonly until: number; readonly issue: string }>();
  /** Those that a person refuses. */
  readonly #refused = new Set<ClientId>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Counts a violation. @returns whether it exceeds the limit: the 20th within 10 minutes of the first. */
  count(clientId: ClientId, issue: string): boolean {
    this.#forgetOld();
    if (this.#violators.has(clientId)) return false;
    const until = this.#clock.elapsedMs() + periodMs;
    const record = this.#violations.get(clientId) ?? { count: 0, until, issue };
    record.count += 1;
    this.#violations.set(clientId, record);
    if (record.count < maxViolations) return false;
    this.#violations.delete(clientId);
    this.#violators.set(clientId, { until, issue: record.issue });
    return true;
  }

  /** The first violation of a client that is refused for several; null for others. */
  firstIssueOf(clientId: ClientId): string | null {
    return this.#violators.get(clientId)?.issue ?? null;
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
    return Math.max(0, (this.#violators.get(clientId)?.until ?? 0) - this.#clock.elapsedMs());
  }

  /** Under a flood of ids the oldest counts go; a refusal stays until its time is over. */
  #forgetOld(): void {
    const now = this.#clock.elapsedMs();
    for (const [clientId, { until }] of this.#violators) if (until <= now) this.#violators.delete(clientId);
    for (const [clientId, { until }] of this.#violations)
      if (until <= now || this.#violations.size > limits.roomMembers) this.#violations.delete(clientId);
  }
}
