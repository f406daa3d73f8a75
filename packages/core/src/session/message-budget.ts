import { messageRates, TokenBucket } from "@warren/protocol";
import { OfferBudget } from "../lanes/offer-budget.ts";
import type { Clock } from "../ports/clock.ts";

/** How many lanes a client may offer. */
const laneOffersPerMinute = 32;

/** How much may be read of one client now. */
export class MessageBudget {
  readonly #frames: TokenBucket;
  readonly #characters: TokenBucket;

  constructor(clock: Clock) {
    this.#frames = new TokenBucket(messageRates.frames, clock);
    this.#characters = new TokenBucket(messageRates.characters, clock);
  }

  /** Charges a frame of this size. @returns false, without charging, if it exceeds the budget. */
  take(characters: number): boolean {
    return this.#frames.left >= 1 && this.#characters.take(characters) && this.#frames.take();
  }

  /** Charges a frame that may exceed the budget: others wait until that is made up for. */
  spend(characters: number): void {
    this.#frames.spend(1);
    this.#characters.spend(characters);
  }

  /** How long until a frame of this size is within the budget, in ms. */
  waitMs(characters: number): number {
    return Math.max(this.#frames.waitMs(1), this.#characters.waitMs(characters));
  }

  /** Whether the budget is full, so it need not be remembered. */
  get isFull(): boolean {
    return this.#frames.isFull && this.#characters.isFull;
  }
}

/**
 * What we read of a client, what it reads of us as far as we know, and the lanes it may offer; shared by successive connections,
 * which a client can begin once a second.
 */
export interface ClientBudgets {
  readonly inbound: MessageBudget;
  readonly outbound: MessageBudget;
  readonly laneOffers: OfferBudget;
}

/** The budgets of a room's clients; they outlive a client's sessions until they are full again. */
export class MessageBudgets {
  readonly #clock: Clock;
  readonly #budgets = new Map<string, ClientBudgets>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  of(clientId: string): ClientBudgets {
    for (const [id, { inbound, outbound, laneOffers }] of this.#budgets)
      if (inbound.isFull && outbound.isFull && laneOffers.isFull) this.#budgets.delete(id);
    const budgets = this.#budgets.get(clientId) ?? {
      inbound: new MessageBudget(this.#clock),
      outbound: new MessageBudget(this.#clock),
      laneOffers: new OfferBudget(this.#clock, laneOffersPerMinute),
    };
    this.#budgets.set(clientId, budgets);
    return budgets;
  }
}
