import type { CancelTimer, Clock } from "./clock.ts";

const pingAfterMs = 25_000;
const deadAfterMs = 60_000;

/** Pings a socket every 25 s and finds it dead when nothing was heard for 60 s. */
export class Heartbeat {
  readonly #clock: Clock;
  readonly #actions: { readonly ping: () => void; readonly dead: () => void };
  #heardAt: number;
  #cancel: CancelTimer;

  constructor(clock: Clock, actions: { readonly ping: () => void; readonly dead: () => void }) {
    this.#clock = clock;
    this.#actions = actions;
    this.#heardAt = clock.elapsedMs();
    this.#cancel = clock.after(pingAfterMs, this.#beat);
  }

  /** Anything at all came from the client. */
  heard(): void {
    this.#heardAt = this.#clock.elapsedMs();
  }

  stop(): void {
    this.#cancel();
  }

  readonly #beat = (): void => {
    const leftMs = this.#heardAt + deadAfterMs - this.#clock.elapsedMs();
    if (leftMs <= 0) {
      this.#actions.dead();
    } else {
      this.#actions.ping();
      this.#cancel = this.#clock.after(Math.min(pingAfterMs, leftMs), this.#beat);
    }
  };
}
