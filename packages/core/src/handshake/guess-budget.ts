import type { Clock } from "../ports/clock.ts";

const windowMs = 600_000;
const failuresPerWindow = 10;

/**
 * Counts runs that got as far as testing a password and did not succeed: each may have been a guess. Ten in ten
 * minutes, whoever they came from, because a hostile server can lend a guesser any name.
 */
export class GuessBudget {
  readonly #clock: Clock;
  #failures: number[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether another run may go as far as testing a password. */
  get isOpen(): boolean {
    this.#failures = this.#failures.filter((at) => at > this.#clock.now() - windowMs);
    return this.#failures.length < failuresPerWindow;
  }

  /** Counts a run as failed. @returns the way to take that back once it has succeeded. */
  spend(): () => void {
    const at = this.#clock.now();
    this.#failures.push(at);
    return () => {
      const index = this.#failures.indexOf(at);
      if (index >= 0) this.#failures.splice(index, 1);
    };
  }
}
