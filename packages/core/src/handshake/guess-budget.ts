import { type ClientId, limits, WarrenError } from "@warren/protocol";
import type { Clock } from "../ports/clock.ts";
import { Emitter, type EventSource } from "../shared/emitter.ts";

const windowMs = 600_000;
/** How many tests of a password may fail in ten minutes. */
const failuresPerWindow = 10;
/** How long a test without an answer may still turn out right: an honest side answers at once. */
const answerMs = 5_000;
/** Whoever is asked more often at a time only learns to press without reading. */
const askedMax = 3;
/** How long a question stands: as long as a server lets a newcomer wait. */
const askedMs = 20_000;

type GuessBudgetEvents = {
  /** A person has to decide whether a client is let in; asked again after 20 s at the earliest. */
  ask: [clientId: ClientId];
};

/** A run that shows whether a password is right. It is said once how it ended, as soon as that is known. */
export interface PasswordTest {
  /** The password was right: it was no guess. */
  succeed(): void;
  /** It was wrong, or nobody will tell any more. */
  fail(): void;
}

/** A test that counts against the budget. */
interface Counted {
  readonly clientId: ClientId;
  readonly at: number;
  hasFailed: boolean;
}

/**
 * Counts runs that got as far as testing a password and did not succeed: each may have been a guess. Ten in ten
 * minutes, whoever they came from, because a hostile server can lend a guesser any name. From then on a client is met
 * only when a person lets it in, or when its last run succeeded; either is good for one failure.
 *
 * A test counts from the moment it begins until it has succeeded, so that who comes with many names at once gets no
 * more. Honest crowds go through all the same: while tests await their answer, further ones wait with them.
 */
export class GuessBudget {
  readonly #clock: Clock;
  readonly #limit: number;
  readonly #events = new Emitter<GuessBudgetEvents>();
  readonly events: EventSource<GuessBudgetEvents> = this.#events;
  readonly #tests = new Set<Counted>();
  /** In the order of their last success. */
  readonly #trusted = new Set<ClientId>();
  /** Until when each question stands. */
  readonly #asked = new Map<ClientId, number>();
  readonly #waiting = new Map<ClientId, Set<() => void>>();
  /** Who waits for an answer to any test. */
  readonly #waitingForAnswer = new Set<() => void>();

  constructor(clock: Clock, limit = failuresPerWindow) {
    this.#clock = clock;
    this.#limit = limit;
  }

  /** Whether a run with a client may test a password now. */
  isOpenFor(clientId: ClientId): boolean {
    for (const test of this.#tests) if (test.at <= this.#clock.now() - windowMs) this.#tests.delete(test);
    return this.#tests.size < this.#limit || this.#trusted.has(clientId);
  }

  /** Whether a run with a client may test a password; as long as answers of others can decide that, it waits for them. */
  async opensFor(clientId: ClientId): Promise<boolean> {
    while (!this.isOpenFor(clientId)) {
      const undecided = [...this.#tests].filter((test) => this.#isUndecided(test));
      const isDecided =
        this.#tests.size - undecided.length >= this.#limit &&
        !undecided.some((test) => test.clientId === clientId);
      if (isDecided) return false;
      await this.#nextAnswer(Math.min(...undecided.map(({ at }) => at)) + answerMs);
    }
    return true;
  }

  /**
   * To be called in the very moment in which a run shows or reads what a password can be tested on.
   * @returns null when it may not: see {@link opensFor}.
   */
  begin(clientId: ClientId): PasswordTest | null {
    if (!this.isOpenFor(clientId)) return null;
    const test: Counted = { clientId, at: this.#clock.now(), hasFailed: false };
    this.#tests.add(test);
    this.#trusted.delete(clientId);
    return {
      succeed: () => {
        this.#tests.delete(test);
        this.#trust(clientId);
        this.#answered();
      },
      fail: () => {
        test.hasFailed = true;
        this.#answered();
      },
    };
  }

  /** @throws WarrenError `approval-needed` when a person has to let the client in first, who is asked. */
  async require(clientId: ClientId): Promise<void> {
    if (await this.opensFor(clientId)) return;
    this.#ask(clientId);
    throw new WarrenError("approval-needed");
  }

  /** Resolves once the client may be met. @throws WarrenError `approval-needed` when nobody lets it in within 20 s. */
  async admission(clientId: ClientId): Promise<void> {
    if (await this.opensFor(clientId)) return;
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
    this.#answered();
  }

  #isUndecided({ at, hasFailed }: Counted): boolean {
    return !hasFailed && at + answerMs > this.#clock.now();
  }

  /** Resolves with the next answer to any test, and at the latest at `untilMs`. */
  async #nextAnswer(untilMs: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const goOn = () => {
        cancel();
        this.#waitingForAnswer.delete(goOn);
        resolve();
      };
      const cancel = this.#clock.after(untilMs - this.#clock.now(), goOn);
      this.#waitingForAnswer.add(goOn);
    });
  }

  #answered(): void {
    for (const goOn of [...this.#waitingForAnswer]) goOn();
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
