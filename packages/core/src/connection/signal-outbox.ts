import type { ClientFrame } from "@warren/protocol";
import type { Clock } from "../ports/clock.ts";

type SignalFrame = Extract<ClientFrame, { type: "signal" }>;

const maxFrames = 64;
// A signal older than the time limit of an attempt belongs to an attempt that has ended.
const maxAgeMs = 10_000;

/**
 * Signals sent while the server is unavailable. Kept briefly instead of dropped: a lost answer costs both sides a whole
 * attempt to connect, and most outages are shorter than an attempt.
 */
export class SignalOutbox {
  readonly #frames: { readonly frame: SignalFrame; readonly at: number }[] = [];
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Queues a frame; drops the oldest when full. */
  add(frame: SignalFrame): void {
    this.#frames.push({ frame, at: this.#clock.elapsedMs() });
    if (this.#frames.length > maxFrames) this.#frames.shift();
  }

  /** Empties the outbox. @returns the frames that are still useful, in order. */
  take(): SignalFrame[] {
    const oldest = this.#clock.elapsedMs() - maxAgeMs;
    return this.#frames
      .splice(0)
      .filter(({ at }) => at >= oldest)
      .map(({ frame }) => frame);
  }
}
