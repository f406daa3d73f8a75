import { type ClientId, limits, WarrenError } from "@warren/protocol";
import type { CancelTimer, Clock } from "../ports/clock.ts";
import { Emitting } from "../shared/emitter.ts";

const windowMs = 600_000;
/** How many password tests may fail within ten minutes. */
const failuresPerWindow = 10;
/** How long an unanswered test may still succeed: an honest side answers at once. */
const answerMs = 5_000;
/** With more simultaneous questions, a person only learns to click without reading. */
const askedMax = 3;
/** The lifetime of a question: the time that a server lets a newcomer wait. */
const askedMs = 60_000;
/** After this time a question yields to one about another client that was not asked about yet. */
const yieldsAfterMs = 15_000;
/** With less time left than this, a person is not asked about a newcomer: nobody answers so fast. */
const answerableMs = 5_000;
/** How many clients are remembered whose questions were not answered. */
const unansweredMax = 256;

type GuessBudgetEvents = {
  /** A person has to decide whether to admit a client; repeated after 15 s at the earliest. */
  ask: [clientId: ClientId];
  /** The question about a client is over: it was answered, expired, yielded to another, or the client has gone. */
  over: [clientId: ClientId];
};

/** The priority of a client in the queue for a person's decision; higher ranks are asked about first. */
const ranks = { unanswered: 0, unknown: 1, known: 2 } as const;
type Rank = (typeof ranks)[keyof typeof ranks];

interface Question {
  rank: Rank;
  readonly cancelYield: CancelTimer;
  readonly cancelEnd: CancelTimer;
}

/** A newcomer that waits for a person's approval. */
interface Waiting {
  readonly clientId: ClientId;
  readonly isKnown: boolean;
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
 * questions about other clients; those with a question that was not answered within 15 s come last, for ten minutes.
 */
export class GuessBudget extends Emitting<GuessBudgetEvents> {
  readonly #clock: Clock;
  readonly #isKnown: (clientId: ClientId) => Promise<boolean>;
  readonly #limit: number;
  readonly #tests = new Set<Counted>();
  /** In the order of their last success. */
  readonly #trusted = new Set<ClientId>();
  /** The open questions to a person, in order of asking. */
  readonly #asked = new Map<ClientId, Question>();
  /** When a question about each client was not answered in time. */
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
    super();
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
    this.#ask(clientId, this.#rankOf(clientId, await this.#isKnown(clientId)));
    throw new WarrenError("approval-needed");
  }

  /**
   * Resolves once the client may be admitted. `onDeferred` is called if a person has to let it in.
   * @param gone aborted when the client no longer waits
   * @throws WarrenError `approval-needed` when nobody lets it in within 60 s, or it has gone.
   */
  async admission(clientId: ClientId, onDeferred: () => void = () => {}, gone?: AbortSignal): Promise<void> {
    if (await this.opensFor(clientId)) return;
    const isKnown = await this.#isKnown(clientId);
    await new Promise<void>((resolve, reject) => {
      const end = () => {
        cancel();
        gone?.removeEventListener("abort", giveUp);
        this.#waiting.delete(waiting);
      };
      const giveUp = () => {
        end();
        reject(new WarrenError("approval-needed"));
        this.#withdraw(clientId);
        this.#askNext();
      };
      const cancel = this.#clock.after(askedMs, giveUp);
      const letIn = () => {
        end();
        resolve();
      };
      const waiting: Waiting = { clientId, isKnown, untilMs: this.#clock.elapsedMs() + askedMs, letIn };
      if (gone?.aborted) return giveUp();
      gone?.addEventListener("abort", giveUp);
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

  #rankOf(clientId: ClientId, isKnown: boolean): Rank {
    if (isKnown) return ranks.known;
    const unansweredAt = this.#unanswered.get(clientId) ?? Number.NEGATIVE_INFINITY;
    return unansweredAt > this.#clock.elapsedMs() - windowMs ? ranks.unanswered : ranks.unknown;
  }

  /** Asks about queued newcomers while there are free questions. */
  #askNext(): void {
    const answerable = [...this.#waiting]
      .filter(({ untilMs }) => untilMs >= this.#clock.elapsedMs() + answerableMs)
      .map(({ clientId, isKnown }) => ({ clientId, rank: this.#rankOf(clientId, isKnown) }));
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
    const cancelYield = this.#clock.after(yieldsAfterMs, () => {
      this.#noteUnanswered(clientId);
      // A known client yields to other known ones only by the end of its question.
      if (question.rank === ranks.unknown) question.rank = ranks.unanswered;
      this.#askNext();
    });
    const cancelEnd = this.#clock.after(askedMs, () => {
      this.#withdraw(clientId);
      this.#askNext();
    });
    const question: Question = { rank, cancelYield, cancelEnd };
    this.#asked.set(clientId, question);
    this.emit("ask", clientId);
  }

  #withdraw(clientId: ClientId): void {
    const question = this.#asked.get(clientId);
    if (question === undefined) return;
    question.cancelYield();
    question.cancelEnd();
    this.#asked.delete(clientId);
    this.emit("over", clientId);
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
