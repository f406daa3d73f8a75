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

/** A run that is about to show whether a password is right. One of its methods is called, once, when it has ended. */
export interface GuessRun {
  /** The password was right: it was no guess. */
  succeed(): void;
  fail(): void;
  /** Nothing was shown after all. */
  withdraw(): void;
}

/**
 * Counts runs that got as far as testing a password and did not succeed: each may have been a guess. Ten in ten
 * minutes, whoever they came from, because a hostile server can lend a guesser any name. From then on a client is met
 * only when a person lets it in, or when its last run succeeded; either is good for one failure. As many runs as may
 * still fail are under way at a time, so that who comes with many names at once gets no more; the others wait.
 */
export class GuessBudget {
  readonly #clock: Clock;
  readonly #events = new Emitter<GuessBudgetEvents>();
  readonly events: EventSource<GuessBudgetEvents> = this.#events;
  #failures: number[] = [];
  readonly #underWay = new Set<GuessRun>();
  /** Who waits for a run to end. */
  #waitingForEnd: (() => void)[] = [];
  /** In the order of their last success. */
  readonly #trusted = new Set<ClientId>();
  /** Until when each question stands. */
  readonly #asked = new Map<ClientId, number>();
  readonly #waiting = new Map<ClientId, Set<() => void>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether a run with a client may go as far as testing a password, now or when others have ended. */
  isOpenFor(clientId: ClientId): boolean {
    return this.#left() > 0 || this.#trusted.has(clientId);
  }

  /** To be called at the last moment before a run tests a password. @returns null while it may not; see {@link ended}. */
  begin(clientId: ClientId): GuessRun | null {
    const wasTrusted = this.#trusted.delete(clientId);
    if (!wasTrusted && this.#underWay.size >= this.#left()) return null;
    const end = (): void => {
      this.#underWay.delete(run);
      for (const resume of this.#waitingForEnd.splice(0)) resume();
    };
    const run: GuessRun = {
      succeed: () => {
        this.#trust(clientId);
        end();
      },
      fail: () => {
        this.#failures.push(this.#clock.now());
        end();
      },
      withdraw: () => {
        if (wasTrusted) this.#trust(clientId);
        end();
      },
    };
    this.#underWay.add(run);
    return run;
  }

  /** Resolves when one of the runs under way has ended; at once when there is none. */
  async ended(): Promise<void> {
    if (this.#underWay.size > 0) await new Promise<void>((resolve) => void this.#waitingForEnd.push(resolve));
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

  /** How many more runs may fail. */
  #left(): number {
    this.#failures = this.#failures.filter((at) => at > this.#clock.now() - windowMs);
    return Math.max(0, failuresPerWindow - this.#failures.length);
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
