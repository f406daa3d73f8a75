import { TokenBucket } from "@warren/protocol";
import type { Clock } from "../ports/clock.ts";

const kibi = 1024;
/** The burst that a client may send, and how fast the budget refills. */
const rates = {
  frames: { burst: 200, perSecond: 50 },
  characters: { burst: 2 * kibi * kibi, perSecond: 64 * kibi },
} as const;

/** The message budget of one client, shared by its successive connections. */
export class MessageBudget {
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
export class MessageBudgets {
  readonly #clock: Clock;
  readonly #budgets = new Map<string, MessageBudget>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  of(clientId: string): MessageBudget {
    for (const [id, known] of this.#budgets) if (known.isFull) this.#budgets.delete(id);
    const budget = this.#budgets.get(clientId) ?? new MessageBudget(this.#clock);
    this.#budgets.set(clientId, budget);
    return budget;
  }
}
