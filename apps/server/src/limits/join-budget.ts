import { type Rate, type TokenBucket, TokenBuckets } from "@warren/protocol";
import type { Clock } from "../clock.ts";
import { type ClientAddress, networksOf } from "./client-address.ts";

/**
 * A household may fill a room three times at once, like a class behind one address that joins and reloads, and after that
 * every 30 s. A site, an IPv6 /48, has twice as much. Private addresses have no more: the size of the room bounds how many
 * people behind one of them can be in it.
 */
const fillsAtOnce = 3;
const fillEveryS = 30;
const fewestMembers = 32;
/** A seat may change its socket this often, for networks that come and go. */
const returnRate: Rate = { burst: 6, perSecond: 1 / 5 };
const sweepFrom = 256;

/** Limits how often the members of a room learn of somebody who joins, by the network or seat of who does. */
export class JoinBudget {
  readonly #buckets: TokenBuckets;
  readonly #members: number;

  constructor(clock: Clock, maxMembers: number) {
    this.#buckets = new TokenBuckets(clock, sweepFrom);
    this.#members = Math.max(fewestMembers, maxMembers);
  }

  /** Counts a new member. @returns after how many ms it may join; 0 if it may now and was counted */
  newcomer(address: ClientAddress): number {
    const { household, site } = networksOf(address);
    const rate = { burst: fillsAtOnce * this.#members, perSecond: this.#members / fillEveryS };
    const ofSite = { burst: 2 * rate.burst, perSecond: 2 * rate.perSecond };
    return take([
      this.#buckets.of(household, rate),
      ...(site === undefined ? [] : [this.#buckets.of(site, ofSite)]),
    ]);
  }

  /** Counts a client that takes over its seat. @returns as {@link newcomer} */
  returns(clientId: string): number {
    return take([this.#buckets.of(clientId, returnRate)]);
  }
}

function take(buckets: readonly TokenBucket[]): number {
  const waitMs = Math.max(...buckets.map((bucket) => bucket.waitMs()));
  if (waitMs === 0) for (const bucket of buckets) bucket.take();
  return waitMs;
}
