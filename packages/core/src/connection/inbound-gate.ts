import { limits, TokenBucket } from "@warren/protocol";
import type { CancelTimer, Clock } from "../ports/clock.ts";

const kibi = 1024;
/** The burst that a client may send, and how fast the budget refills. */
const rates = {
  frames: { burst: 200, perSecond: 50 },
  characters: { burst: 2 * kibi * kibi, perSecond: 64 * kibi },
} as const;
/** The limits of the queue behind the rate limit. */
const waitingMax = { frames: 1_000, characters: 4 * kibi * kibi } as const;
const drainEveryMs = 20;

/** The message budget of one client, shared by its successive connections. */
export class InboundBudget {
  readonly #frames: TokenBucket;
  readonly #characters: TokenBucket;

  constructor(clock: Clock) {
    this.#frames = new TokenBucket(rates.frames, clock);
    this.#characters = new TokenBucket(rates.characters, clock);
  }

  /** Charges a frame of this size. @returns false, without charging, if it exceeds the budget. */
  take(characters: number): boolean {
    return this.#frames.left >= 1 && this.#characters.take(characters) && this.#frames.take();
  }

  /** Whether the budget is full, so it need not be remembered. */
  get isFull(): boolean {
    return this.#frames.isFull && this.#characters.isFull;
  }
}

/** The budgets of a room's clients; each outlives its sessions until it is full again. */
export class InboundBudgets {
  readonly #clock: Clock;
  readonly #budgets = new Map<string, InboundBudget>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  of(clientId: string): InboundBudget {
    for (const [id, known] of this.#budgets) if (known.isFull) this.#budgets.delete(id);
    const budget = this.#budgets.get(clientId) ?? new InboundBudget(this.#clock);
    this.#budgets.set(clientId, budget);
    return budget;
  }
}

/**
 * Passes text frames on as fast as the budget allows, and queues faster ones in order. Drops frames that are not text,
 * exceed the limit of the protocol, or do not fit into the queue.
 */
export class InboundGate {
  readonly #clock: Clock;
  readonly #budget: InboundBudget;
  readonly #handle: (frame: string) => void;
  readonly #waiting: string[] = [];
  #waitingCharacters = 0;
  #cancelTimer: CancelTimer | null = null;

  constructor(clock: Clock, budget: InboundBudget, handle: (frame: string) => void) {
    this.#clock = clock;
    this.#budget = budget;
    this.#handle = handle;
  }

  /** @returns why the frame was dropped, or null. */
  push(frame: unknown): string | null {
    if (typeof frame !== "string") return "binary frame";
    if (frame.length > limits.peerFrameBytes) return "frame-too-large";
    if (this.#waiting.length === 0 && this.#budget.take(frame.length)) {
      this.#handle(frame);
      return null;
    }
    const isFull = this.#waitingCharacters + frame.length > waitingMax.characters;
    if (isFull || this.#waiting.length >= waitingMax.frames) return "flood";
    this.#waiting.push(frame);
    this.#waitingCharacters += frame.length;
    this.#cancelTimer ??= this.#clock.every(drainEveryMs, () => this.#drain());
    return null;
  }

  close(): void {
    this.#waiting.length = 0;
    this.#stop();
  }

  #drain(): void {
    for (let frame = this.#waiting[0]; frame !== undefined; frame = this.#waiting[0]) {
      if (!this.#budget.take(frame.length)) return;
      this.#waiting.shift();
      this.#waitingCharacters -= frame.length;
      this.#handle(frame);
    }
    this.#stop();
  }

  #stop(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
  }
}
