import { type Rate, TokenBucket } from "@warren/protocol";
import type { Clock } from "../ports/clock.ts";

/**
 * The part of the server's limit that is used, because frames that are held up on the way arrive together with later ones.
 * With the usual limit, nothing may arrive for a second.
 */
const used = { burst: 0.7, perSecond: 0.9 } as const;
/** The part of the burst that signals leave to other frames, whose number nobody else can raise. */
const reserved = 0.2;

/** Keeps the frames of one socket within the server's limit. */
export class FramePace {
  readonly #reserve: number;
  readonly #bucket: TokenBucket;

  /** @param limit how many frames the server takes. */
  constructor(limit: Rate, clock: Clock) {
    const burst = Math.max(1, Math.floor(limit.burst * used.burst));
    this.#reserve = Math.floor(burst * reserved);
    this.#bucket = new TokenBucket({ burst, perSecond: limit.perSecond * used.perSecond }, clock);
  }

  /** How long the next signal has to wait. */
  get waitMs(): number {
    return this.#bucket.waitMs(this.#reserve + 1);
  }

  /** Counts a frame. */
  spend(): void {
    this.#bucket.take();
  }
}
