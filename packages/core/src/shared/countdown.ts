import type { CancelTimer, Clock } from "../ports/clock.ts";

/** A single timer that its owner can start, restart and stop. */
export class Countdown {
  readonly #clock: Clock;
  #cancel: CancelTimer | null = null;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get isRunning(): boolean {
    return this.#cancel !== null;
  }

  /** Calls back once after `delayMs`; replaces the previous timer. */
  start(delayMs: number, callback: () => void): void {
    this.stop();
    this.#cancel = this.#clock.after(delayMs, () => {
      this.#cancel = null;
      callback();
    });
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = null;
  }
}
