import { attemptsAtOnce } from "./attempt-policy.ts";

interface Entry {
  readonly own: boolean;
  readonly begin: () => void;
}

/** Shared by all sessions of a page: limits concurrent attempts. Peers' attempts go first, the rest in order. */
export class AttemptQueue {
  readonly #waiting = new Set<Entry>();
  readonly #running = new Set<Entry>();

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
      this.#waiting.delete(entry);
      if (this.#running.delete(entry)) this.#advance();
    };
  }

  #advance(): void {
    for (;;) {
      const next = this.#next();
      if (next === undefined) return;
      this.#waiting.delete(next);
      this.#running.add(next);
      next.begin();
    }
  }

  #next(): Entry | undefined {
    if (this.#running.size >= attemptsAtOnce.all) return undefined;
    const waiting = [...this.#waiting];
    const invited = waiting.find(({ own }) => !own);
    const ownRunning = [...this.#running].filter(({ own }) => own).length;
    return invited ?? (ownRunning < attemptsAtOnce.own ? waiting[0] : undefined);
  }
}
