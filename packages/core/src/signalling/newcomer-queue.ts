import { type ClientId, type Rate, TokenBucket } from "@warren/protocol";
import type { Clock } from "../ports/clock.ts";
import { Countdown } from "../shared/countdown.ts";

/** Newcomers that are attended to at once. */
const atOnce: Rate = { burst: 8, perSecond: 1 };
/** The others: those that are still here after this time, and how many of them. */
const stayMs = 300;
const later: Rate = { burst: 1, perSecond: 4 };
const waitingMax = 256;

/**
 * Newcomers to a room, or to its lobby. Each costs a connection or a handshake, so somebody that joins and leaves without end
 * could keep a page from doing anything else. While few come, each is attended to at once; when many do, only those that
 * stay, a few a second, in order of arrival.
 */
export class NewcomerQueue<T> {
  readonly #clock: Clock;
  readonly #attend: (newcomer: T) => void;
  readonly #atOnce: TokenBucket;
  readonly #later: TokenBucket;
  readonly #waiting = new Map<ClientId, { readonly newcomer: T; readonly at: number }>();
  readonly #next: Countdown;

  constructor(clock: Clock, attend: (newcomer: T) => void) {
    this.#clock = clock;
    this.#attend = attend;
    this.#atOnce = new TokenBucket(atOnce, clock);
    this.#later = new TokenBucket(later, clock);
    this.#next = new Countdown(clock);
  }

  /** One that waits already keeps its position. */
  add(clientId: ClientId, newcomer: T): void {
    const at = this.#waiting.get(clientId)?.at ?? this.#clock.elapsedMs();
    if (!this.#waiting.has(clientId) && this.#atOnce.take()) {
      this.#attend(newcomer);
      return;
    }
    this.#waiting.set(clientId, { newcomer, at });
    const [oldest] = this.#waiting.keys();
    if (this.#waiting.size > waitingMax && oldest !== undefined) this.#waiting.delete(oldest);
    this.#advance();
  }

  /** The newcomer left. @returns whether it was waiting. */
  delete(clientId: ClientId): boolean {
    const wasWaiting = this.#waiting.delete(clientId);
    if (wasWaiting) this.#advance();
    return wasWaiting;
  }

  clear(): void {
    this.#waiting.clear();
    this.#next.stop();
  }

  #advance(): void {
    this.#next.stop();
    for (;;) {
      const [first] = this.#waiting;
      if (first === undefined) return;
      const [clientId, { newcomer, at }] = first;
      const waitMs = Math.max(at + stayMs - this.#clock.elapsedMs(), this.#later.waitMs());
      if (waitMs > 0) {
        this.#next.start(waitMs, () => this.#advance());
        return;
      }
      this.#later.take();
      this.#waiting.delete(clientId);
      this.#attend(newcomer);
    }
  }
}
