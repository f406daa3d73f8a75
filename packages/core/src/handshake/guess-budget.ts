import { type ClientId, limits, WarrenError } from "@warren/protocol";
import type { Clock } from "../ports/clock.ts";
import { Emitter, type EventSource } from "../shared/emitter.ts";

const windowMs = 600_000;
const failuresPerWindow = 10;
/** Whoever is asked more often at a time only learns to press without reading. */
const askedMax = 3;
/** How long a question stands: as long as a server lets a newcomer wait. */
const askedMs = 20_000;

type GuessBudgetEvents = {
  /** A person has to decide whether a client is let in; asked again after 20 s at the earliest. */
  ask: [clientId: ClientId];
};

/**
 * Counts runs that got as far as testing a password and did not succeed: each may have been a guess. Ten in ten
 * minutes, whoever they came from, because a hostile server can lend a guesser any name. From then on a client is met
 * only when a person lets it in, or when its last run succeeded; either is good for one failure.
 */
export class GuessBudget {
  readonly #clock: Clock;
  readonly #events = new Emitter<GuessBudgetEvents>();
  readonly events: EventSource<GuessBudgetEvents> = this.#events;
  #failures: number[] = [];
  /** In the order of their last success. */
  readonly #trusted = new Set<ClientId>();
  /** Until when each question stands. */
  readonly #asked = new Map<ClientId, number>();
  readonly #waiting = new Map<ClientId, Set<() => void>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether a run with a client may go as far as testing a password. */
  isOpenFor(clientId: ClientId): boolean {
    this.#failures = this.#failures.filter((at) => at > this.#clock.now() - windowMs);
    return this.#failures.length < failuresPerWindow || this.#trusted.has(clientId);
  }

  /** Counts a run as failed. @returns the way to take that back once it has succeeded. */
  spend(clientId: ClientId): () => void {
    const at = this.#clock.now();
    this.#failures.push(at);
    this.#trusted.delete(clientId);
    return () => {
      const index = this.#failures.indexOf(at);
      if (index >= 0) this.#failures.splice(index, 1);
      this.#trust(clientId);
    };
  }

  /** @throws WarrenError `approval-needed` when a person has to let the client in first, who is asked. */
  require(clientId: ClientId): void {
    if (this.isOpenFor(clientId)) return;
    this.#ask(clientId);
    throw new WarrenError("approval-needed");
  }

  /** Resolves once the client may be met. @throws WarrenError `approval-needed` when nobody lets it in within 20 s. */
  async admission(clientId: ClientId): Promise<void> {
    if (this.isOpenFor(clientId)) return;
    if (!this.#ask(clientId)) throw new WarrenError("approval-needed");
    await new Promise<void>((resolve, reject) => {
      const waiting = this.#waiting.get(clientId) ?? new Set();
      this.#waiting.set(clientId, waiting);
      const cancel = this.#clock.after(askedMs, () => {
        waiting.delete(letIn);
        if (waiting.size === 0) this.#waiting.delete(clientId);
        reject(new WarrenError("approval-needed"));
      });
      const letIn = () => {
        cancel();
        resolve();
      };
      waiting.add(letIn);
    });
  }

  /** A person lets a client in. */
  letIn(clientId: ClientId): void {
    this.#trust(clientId);
    this.#asked.delete(clientId);
    const waiting = this.#waiting.get(clientId);
    this.#waiting.delete(clientId);
    for (const letIn of waiting ?? []) letIn();
  }

  /** Asks a person, unless that was just done. @returns false when too many others are asked about. */
  #ask(clientId: ClientId): boolean {
    const now = this.#clock.now();
    for (const [id, until] of this.#asked) if (until <= now) this.#asked.delete(id);
    if (this.#asked.has(clientId)) return true;
    if (this.#asked.size >= askedMax) return false;
    this.#asked.set(clientId, now + askedMs);
    this.#events.emit("ask", clientId);
    return true;
  }

  #trust(clientId: ClientId): void {
    this.#trusted.delete(clientId);
    this.#trusted.add(clientId);
    const [oldest] = this.#trusted;
    if (this.#trusted.size > limits.roomMembers && oldest !== undefined) this.#trusted.delete(oldest);
  }
}
