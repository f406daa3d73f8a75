import type { CancelTimer, Clock } from "../ports/clock.ts";

const ratePerSecond = 50;
const burst = 200;
const maxWaitingFrames = 1_000;
const maxWaitingCharacters = 4 * 1024 * 1024;

/**
 * Lets frames through at 50 a second with bursts of 200, and holds back what comes faster, in order.
 * What exceeds 1,000 frames or 4 Mi characters in waiting is dropped.
 */
export class InboundGate {
  readonly #clock: Clock;
  readonly #handle: (frame: unknown) => void;
  readonly #waiting: unknown[] = [];
  #waitingCharacters = 0;
  #tokens = burst;
  #refilledAt: number;
  #cancelTimer: CancelTimer | null = null;

  constructor(clock: Clock, handle: (frame: unknown) => void) {
    this.#clock = clock;
    this.#handle = handle;
    this.#refilledAt = clock.now();
  }

  /** @returns false when the frame was dropped. */
  push(frame: unknown): boolean {
    this.#refill();
    if (this.#waiting.length === 0 && this.#tokens >= 1) {
      this.#tokens -= 1;
      this.#handle(frame);
      return true;
    }
    const size = sizeOf(frame);
    if (this.#waiting.length >= maxWaitingFrames || this.#waitingCharacters + size > maxWaitingCharacters)
      return false;
    this.#waiting.push(frame);
    this.#waitingCharacters += size;
    this.#cancelTimer ??= this.#clock.every(1_000 / ratePerSecond, () => this.#drain());
    return true;
  }

  close(): void {
    this.#waiting.length = 0;
    this.#stop();
  }

  #drain(): void {
    this.#refill();
    while (this.#tokens >= 1 && this.#waiting.length > 0) {
      const frame = this.#waiting.shift();
      this.#waitingCharacters -= sizeOf(frame);
      this.#tokens -= 1;
      this.#handle(frame);
    }
    if (this.#waiting.length === 0) this.#stop();
  }

  #refill(): void {
    const now = this.#clock.now();
    const gained = (Math.max(0, now - this.#refilledAt) / 1_000) * ratePerSecond;
    this.#tokens = Math.min(burst, this.#tokens + gained);
    this.#refilledAt = now;
  }

  #stop(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
  }
}

function sizeOf(frame: unknown): number {
  return typeof frame === "string" ? frame.length : 0;
}
