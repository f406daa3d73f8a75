import type { Clock } from "@warren/core";
import type { Update } from "./updates.ts";

/** Long enough that a file which is accepted unasked is no offer any more, and that many files are one sentence. */
const batchMs = 500;

/** The updates of a moment that share a tag are passed on together. */
export class UpdateBatches {
  readonly #clock: Clock;
  readonly #pass: (tag: string, updates: readonly Update[]) => void;
  readonly #batches = new Map<string, { updates: readonly Update[]; readonly stop: () => void }>();

  constructor(clock: Clock, pass: (tag: string, updates: readonly Update[]) => void) {
    this.#clock = clock;
    this.#pass = pass;
  }

  add(tag: string, update: Update): void {
    const batch = this.#batches.get(tag);
    if (batch) batch.updates = [...batch.updates, update];
    else
      this.#batches.set(tag, { updates: [update], stop: this.#clock.after(batchMs, () => this.#end(tag)) });
  }

  /** Leaves out what is over before it was passed on. */
  discard(isOver: (update: Update) => boolean): void {
    for (const batch of this.#batches.values()) batch.updates = batch.updates.filter((each) => !isOver(each));
  }

  close(): void {
    for (const { stop } of this.#batches.values()) stop();
    this.#batches.clear();
  }

  #end(tag: string): void {
    const updates = this.#batches.get(tag)?.updates ?? [];
    this.#batches.delete(tag);
    this.#pass(tag, updates);
  }
}
