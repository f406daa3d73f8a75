import { WarrenError } from "@warren/protocol";
import type { CancelTimer, Clock } from "../ports/clock.ts";
import { Emitting } from "./emitter.ts";

/** What a transfer can wait for in its own browser: everything but the network and the other side. */
export type TransferStep =
  /** Loads code and starts workers. */
  | "load"
  /** Reads the file that is sent. */
  | "read"
  | "digest"
  | "compress"
  /** Checks and decompresses a received chunk. */
  | "verify"
  /** Opens, reads and writes the received file. */
  | "store"
  /** Waits for the worker that moves the bytes. */
  | "worker";

/**
 * The browser has stalled if it settles nothing for this long. Two attempts and the time to begin again take less than a
 * minute.
 */
export const stallLimitMs = 24_000;
/** After a stall, other promises are given no more than this. */
const afterStallMs = 2_000;
/** A tick counts as this much time, however late it is: a suspended page has not waited all the time. */
const tickMs = 4_000;

/** The events of a {@link StallWatch}. */
export type StallEvents = {
  /** It has stalled, which happens once; the error is `transfer-stalled`. */
  stall: [error: WarrenError];
};

interface Pending {
  readonly step: TransferStep;
  readonly reject?: (error: WarrenError) => void;
}

/**
 * Notices that a browser has stopped answering, since promises of the platform may never settle. It follows the promises that
 * one transfer waits for, and stalls when some are pending and none has settled for 24 seconds in which the page was active.
 */
export class StallWatch extends Emitting<StallEvents> {
  readonly #clock: Clock;
  readonly #limitMs: number;
  readonly #pending = new Set<Pending>();
  #quietMs = 0;
  #hasStalled = false;
  #isClosed = false;
  #cancelTicks: CancelTimer | null = null;

  constructor(clock: Clock, limitMs = stallLimitMs) {
    super();
    this.#clock = clock;
    this.#limitMs = limitMs;
  }

  /** Follows a promise until it settles, and returns it. */
  follow<T>(step: TransferStep, promise: Promise<T>): Promise<T> {
    this.#follow({ step }, promise);
    return promise;
  }

  /**
   * Follows a promise, and gives it up when the watch stalls.
   * @returns as the promise. Rejects with `transfer-stalled` if it does not settle.
   */
  within<T>(step: TransferStep, promise: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#follow({ step, reject }, promise);
      const giveUp = this.#hasStalled
        ? this.#clock.after(afterStallMs, () => reject(stalledIn(step)))
        : () => {};
      promise.finally(giveUp).then(resolve, reject);
    });
  }

  /** Something that takes long has come closer to its end. */
  noteProgress(): void {
    this.#quietMs = 0;
  }

  /** What begins now may take this much longer, with nothing to show for it. */
  allow(extraMs: number): void {
    this.#quietMs = -extraMs;
  }

  /** Watches no longer. */
  close(): void {
    this.#isClosed = true;
    this.#stopTicks();
    this.clear();
  }

  #follow(pending: Pending, promise: Promise<unknown>): void {
    if (this.#pending.size === 0) this.#quietMs = Math.min(0, this.#quietMs);
    this.#pending.add(pending);
    if (!this.#hasStalled && !this.#isClosed)
      this.#cancelTicks ??= this.#clock.every(tickMs, () => this.#tick());
    const settle = () => {
      this.#pending.delete(pending);
      this.noteProgress();
    };
    promise.then(settle, settle);
  }

  #tick(): void {
    const [oldest] = this.#pending;
    if (!oldest) {
      this.#stopTicks();
      return;
    }
    this.#quietMs += tickMs;
    if (this.#quietMs < this.#limitMs) return;
    this.#hasStalled = true;
    this.#stopTicks();
    for (const { step, reject } of this.#pending) reject?.(stalledIn(step));
    this.emit("stall", stalledIn(oldest.step));
  }

  #stopTicks(): void {
    this.#cancelTicks?.();
    this.#cancelTicks = null;
  }
}

/** The result of a promise. Rejects with `transfer-stalled` if it does not settle in 24 seconds of active time. */
export function settledInTime<T>(clock: Clock, step: TransferStep, promise: Promise<T>): Promise<T> {
  const watch = new StallWatch(clock);
  return watch.within(step, promise).finally(() => watch.close());
}

function stalledIn(step: TransferStep): WarrenError {
  return new WarrenError("transfer-stalled", { step });
}
