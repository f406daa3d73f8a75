import { type ClientId, defaultFrameRate, type Rate, TokenBuckets } from "@warren/protocol";
import type { Clock } from "../clock.ts";
import { type ClientAddress, networksOf } from "./client-address.ts";

/**
 * Bytes of signals from a network to one member, with the default rate of frames and size of rooms. The most that honest ones
 * take: 31 people behind one address who all have a camera on meet somebody new, with some 18 KB each.
 */
const defaultRate: Rate = { burst: 768 * 1024, perSecond: 64 * 1024 };
const defaultMembers = 32;
const sweepFrom = 256;

/**
 * Limits what a member is sent by a network (an IPv4 address or an IPv6 /48), however many sockets it has: else one socket
 * could send more than a slow connection carries, and the server would close that as too slow.
 */
export class SignalBudget {
  readonly #buckets: TokenBuckets;
  readonly #rate: Rate;

  /** Whoever allows sockets more frames, or rooms more members, allows more bytes. */
  constructor(clock: Clock, frameRate: Rate, maxMembers: number) {
    this.#buckets = new TokenBuckets(clock, sweepFrom);
    const scaled = (key: keyof Rate) =>
      defaultRate[key] *
      Math.max(1, maxMembers / defaultMembers) *
      Math.max(1, frameRate[key] / defaultFrameRate[key]);
    this.#rate = { burst: scaled("burst"), perSecond: scaled("perSecond") };
  }

  /** Counts a signal. @returns false if it is one too many */
  take(from: ClientAddress, to: ClientId, bytes: number): boolean {
    const { household, site = household } = networksOf(from);
    return this.#buckets.of(`${site} ${to}`, this.#rate).take(bytes);
  }
}
