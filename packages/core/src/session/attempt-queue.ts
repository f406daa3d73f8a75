import { TokenBucket } from "@warren/protocol";
import type { Clock } from "../ports/clock.ts";
import { Countdown } from "../shared/countdown.ts";
import { attemptRates, attemptsAtOnce, slotMs } from "./attempt-policy.ts";

interface Entry {
  readonly own: boolean;
  readonly begin: () => void;
}

/**
 * Shared by all sessions of a page: limits how many attempts run at once and begin in a second. Peers' attempts go first, the
 * rest in order.
 */
export class AttemptQueue {
  readonly #clock: Clock;
  readonly #waiting = new Set<Entry>();
  /** The attempts that hold a slot, and how to cancel the end of each slot's time. */
  readonly #running = new Map<Entry, () => void>();
  readonly #own: TokenBucket;
  readonly #answers: TokenBucket;
  readonly #next: Countdown;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#own = new TokenBucket(attemptRates.own, clock);
    this.#answers = new TokenBucket(attemptRates.answers, clock);
    this.#next = new Countdown(clock);
  }

  /**
   * Calls `begin` as soon as there is a slot, synchronously if one is free.
   * @param own whether we start the attempt; otherwise the peer did, and waits for our answer.
   * @returns a function that frees the slot or leaves the queue.
   */
  enter(own: boolean, begin: () => void): () => void {
    const entry: Entry = { own, begin };
    this.#waiting.add(entry);
    this.#advance();
    return () => {
      if (this.#waiting.delete(entry) || this.#free(entry)) this.#advance();
    };
  }

  #free(entry: Entry): boolean {
    this.#running.get(entry)?.();
    return this.#running.delete(entry);
  }

  #advance(): void {
    this.#next.stop();
    while (this.#running.size < attemptsAtOnce.all) {
      const next = this.#choose();
      if (next === null) return;
      const bucket = next.own ? this.#own : this.#answers;
      bucket.take();
      this.#waiting.delete(next);
      const cancel = this.#clock.after(slotMs, () => {
        if (this.#free(next)) this.#advance();
      });
      this.#running.set(next, cancel);
      next.begin();
    }
  }

  /** The next attempt to begin; null if there is none, or none yet. */
  #choose(): Entry | null {
    const waiting = [...this.#waiting];
    const running = [...this.#running.keys()];
    const candidates = [false, true].flatMap((own) => {
      const first = waiting.find((entry) => entry.own === own);
      const isFull = running.filter((entry) => entry.own === own).length >= attemptsAtOnce.ofAKind;
      // The last slot is for the other kind, if it has an attempt waiting.
      const isReserved = isFull && (own || waiting.some((entry) => entry.own !== own));
      const bucket = own ? this.#own : this.#answers;
      return first === undefined || isReserved ? [] : [{ first, waitMs: bucket.waitMs() }];
    });
    const ready = candidates.find(({ waitMs }) => waitMs === 0);
    if (ready !== undefined) return ready.first;
    const waitMs = Math.min(...candidates.map((candidate) => candidate.waitMs));
    if (Number.isFinite(waitMs)) this.#next.start(waitMs, () => this.#advance());
    return null;
  }
}
