import { type ClientId, limits, WarrenError } from "@warren/protocol";
import type { CancelTimer, Clock } from "../ports/clock.ts";
import { Emitter, type EventSource } from "../shared/emitter.ts";

const windowMs = 600_000;
/** How many password tests may fail within ten minutes. */
const failuresPerWindow = 10;
/** How long an unanswered test may still succeed: an honest side answers at once. */
const answerMs = 5_000;
/** With more simultaneous questions, a person only learns to click without reading. */
const askedMax = 3;
/** The lifetime of a question: the time that a server lets a newcomer wait. */
const askedMs = 60_000;
/** With less time left than this, a person is not asked about a newcomer: nobody answers so fast. */
const answerableMs = 5_000;
/** How many clients are remembered whose questions were not answered. */
const unansweredMax = 256;

type GuessBudgetEvents = {
  /** A person has to decide whether to admit a client; repeated after 60 s at the earliest. */
  ask: [clientId: ClientId];
};

/** The priority of a client in the queue for a person's decision; higher ranks are asked about first. */
const ranks = { unanswered: 0, unknown: 1, known: 2 } as const;
type Rank = (typeof ranks)[keyof typeof ranks];

interface Question {
  readonly rank: Rank;
  readonly cancelEnd: CancelTimer;
}

/** A newcomer that waits for a person's approval. */
interface Waiting {
  readonly clientId: ClientId;
  readonly rank: Rank;
  readonly untilMs: number;
  readonly letIn: () => void;
}

/** A run that tests a password. Its owner reports the outcome once, as soon as it is known. */
export interface PasswordTest {
  /** The password was right, so this was no guess. */
  succeed(): void;
  /** The password was wrong, or no answer can arrive any more. */
  fail(): void;
}

/** A test that counts against the budget. */
interface Counted {
  readonly clientId: ClientId;
  readonly at: number;
  hasFailed: boolean;
}

/**
 * Counts runs that tested a password without success: each may have been a guess. Ten within ten
 * minutes, from any client, because a hostile server can lend a guesser any name. After that a client is admitted
 * only if a person lets it in, or if its last run succeeded; either allows one failure.
 *
 * A test counts from its start until it succeeds, so that a guesser with many simultaneous names gains nothing.
 * Honest crowds still get through: while tests are unanswered, further ones are queued.
 *
 * A person is asked about three clients at a time. Those with a known key come first, and replace
 * questions about other clients; those with an unanswered question come last, for ten minutes.
 */
export class GuessBudget {
  readonly #clock: Clock;
  readonly #isKnown: (clientId: ClientId) => Promise<boolean>;
  readonly #limit: number;
  readonly #events = new Emitter<GuessBudgetEvents>();
  readonly events: EventSource<GuessBudgetEvents> = this.#events;
  readonly #tests = new Set<Counted>();
  /** In the order of their last success. */
  readonly #trusted = new Set<ClientId>();
  /** The open questions to a person, in order of asking. */
  readonly #asked = new Map<ClientId, Question>();
  /** When a question about each client expired without an answer. */
  readonly #unanswered = new Map<ClientId, number>();
  /** Queued newcomers, in order of arrival. */
  readonly #waiting = new Set<Waiting>();
  /** Callbacks for the next answer to any test. */
  readonly #waitingForAnswer = new Set<() => void>();

  /** @param isKnown whether we have met the key of a client before */
  constructor(
    clock: Clock,
    isKnown: (clientId: ClientId) => Promise<boolean> = async () => false,
    limit = failuresPerWindow,
  ) {
    this.#clock = clock;
    this.#isKnown = isKnown;
    this.#limit = limit;
  }

  /** Whether a run with a client may test a password now. */
  isOpenFor(clientId: ClientId): boolean {
    for (const test of this.#tests)
      if (test.at <= this.#clock.elapsedMs() - windowMs) this.#tests.delete(test);
    return this.#tests.size < this.#limit || this.#trusted.has(clientId);
  }

  /** Whether a run with a client may test a password; if pending answers of others can decide that, waits for them. */
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
   * Must be called in the same synchronous step in which a run exposes or reads data to test a password on.
   * @returns null if that is not permitted: see {@link opensFor}.
   */
  begin(clientId: ClientId): PasswordTest | null {
    if (!this.isOpenFor(clientId)) return null;
    const test: Counted = { clientId, at: this.#clock.elapsedMs(), hasFailed: false };
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

  /** @throws WarrenError `approval-needed`, after asking a person, if one has to let the client in first. */
  async require(clientId: ClientId): Promise<void> {
    if (await this.opensFor(clientId)) return;
    this.#ask(clientId, await this.#rankOf(clientId));
    throw new WarrenError("approval-needed");
  }

  /**
   * Resolves once the client may be admitted. `onDeferred` is called if a person has to let it in.
   * @throws WarrenError `approval-needed` when nobody lets it in within 60 s.
   */
  async admission(clientId: ClientId, onDeferred: () => void = () => {}): Promise<void> {
    if (await this.opensFor(clientId)) return;
    const rank = await this.#rankOf(clientId);
    await new Promise<void>((resolve, reject) => {
      const cancel = this.#clock.after(askedMs, () => {
        this.#waiting.delete(waiting);
        reject(new WarrenError("approval-needed"));
      });
      const letIn = () => {
        cancel();
        this.#waiting.delete(waiting);
        resolve();
      };
      const waiting: Waiting = { clientId, rank, untilMs: this.#clock.elapsedMs() + askedMs, letIn };
      this.#waiting.add(waiting);
      onDeferred();
      this.#askNext();
    });
  }

  /** A person admits a client. */
  letIn(clientId: ClientId): void {
    this.#trust(clientId);
    this.#unanswered.delete(clientId);
    this.#withdraw(clientId);
    for (const waiting of [...this.#waiting]) if (waiting.clientId === clientId) waiting.letIn();
    this.#answered();
    this.#askNext();
  }

  #isUndecided({ at, hasFailed }: Counted): boolean {
    return !hasFailed && at + answerMs > this.#clock.elapsedMs();
  }

  /** Resolves with the next answer to any test, or at `untilMs`. */
  async #nextAnswer(untilMs: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const wake = () => {
        cancel();
        this.#waitingForAnswer.delete(wake);
        resolve();
      };
      const cancel = this.#clock.after(untilMs - this.#clock.elapsedMs(), wake);
      this.#waitingForAnswer.add(wake);
    });
  }

  #answered(): void {
    for (const wake of [...this.#waitingForAnswer]) wake();
  }

  async #rankOf(clientId: ClientId): Promise<Rank> {
    if (await this.#isKnown(clientId)) return ranks.known;
    const unansweredAt = this.#unanswered.get(clientId) ?? Number.NEGATIVE_INFINITY;
    return unansweredAt > this.#clock.elapsedMs() - windowMs ? ranks.unanswered : ranks.unknown;
  }

  /** Asks about queued newcomers while there are free questions. */
  #askNext(): void {
    const answerable = [...this.#waiting].filter(
      ({ untilMs }) => untilMs >= this.#clock.elapsedMs() + answerableMs,
    );
    for (const { clientId, rank } of answerable.sort((one, other) => other.rank - one.rank))
      this.#ask(clientId, rank);
  }

  /** Asks a person, unless already asked recently or others have priority. */
  #ask(clientId: ClientId, rank: Rank): void {
    if (this.#asked.has(clientId)) return;
    if (this.#asked.size >= askedMax) {
      const lowest = [...this.#asked].reduce((one, other) => (other[1].rank < one[1].rank ? other : one));
      if (lowest[1].rank >= rank) return;
      this.#withdraw(lowest[0]);
    }
    const cancelEnd = this.#clock.after(askedMs, () => {
      this.#asked.delete(clientId);
      this.#noteUnanswered(clientId);
      this.#askNext();
    });
    this.#asked.set(clientId, { rank, cancelEnd });
    this.#events.emit("ask", clientId);
  }

  #withdraw(clientId: ClientId): void {
    this.#asked.get(clientId)?.cancelEnd();
    this.#asked.delete(clientId);
  }

  #noteUnanswered(clientId: ClientId): void {
    this.#unanswered.delete(clientId);
    this.#unanswered.set(clientId, this.#clock.elapsedMs());
    const [oldest] = this.#unanswered.keys();
    if (this.#unanswered.size > unansweredMax && oldest !== undefined) this.#unanswered.delete(oldest);
  }

  #trust(clientId: ClientId): void {
    this.#trusted.delete(clientId);
    this.#trusted.add(clientId);
    const [oldest] = this.#trusted;
    if (this.#trusted.size > limits.roomMembers && oldest !== undefined) this.#trusted.delete(oldest);
  }
}
