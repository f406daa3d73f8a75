import { type Rate, TokenBucket } from "@warren/protocol";
import type { Clock } from "../clock.ts";
import type { ServerLimits } from "../config.ts";
import { type ClientAddress, networksOf } from "./client-address.ts";

const tenMinutesS = 600;
/** TURN sign-ins per address: enough for a class behind one NAT. */
const turnSignInsPer10Min = 100;
/** Full buckets are removed once there are this many. */
const sweepAt = 10_000;

/** The quotas of an address (open sockets, new sockets, TURN sign-ins) and of its household (new rooms). */
export class AddressLimits {
  readonly #limits: ServerLimits;
  readonly #clock: Clock;
  readonly #open = new Map<string, number>();
  readonly #newSockets = new Map<string, TokenBucket>();
  readonly #newRooms = new Map<string, TokenBucket>();
  readonly #turnSignIns = new Map<string, TokenBucket>();
  #sweepAt = sweepAt;

  constructor(limits: ServerLimits, clock: Clock) {
    this.#limits = limits;
    this.#clock = clock;
  }

  /** Whether the address may open one more socket; counts the attempt. */
  mayConnect(address: ClientAddress): boolean {
    const { socketsPerAddress, newSocketsPerSecond } = this.#limits;
    const perSecond = newSocketsPerSecond * this.#factor(address);
    const rate = { perSecond, burst: 2 * perSecond };
    return (
      (this.#open.get(address.key) ?? 0) < socketsPerAddress * this.#factor(address) &&
      this.#take(this.#newSockets, address.key, rate)
    );
  }

  /** Counts an open socket. */
  opened(address: ClientAddress): void {
    this.#open.set(address.key, (this.#open.get(address.key) ?? 0) + 1);
  }

  /** Reverts {@link opened}. */
  closed(address: ClientAddress): void {
    const left = (this.#open.get(address.key) ?? 0) - 1;
    if (left > 0) this.#open.set(address.key, left);
    else this.#open.delete(address.key);
  }

  /** Whether one more room may be opened from the household of the address; counts the attempt. */
  mayOpenRoom(address: ClientAddress): boolean {
    const burst = this.#limits.newRoomsPer10Min * this.#factor(address);
    return this.#take(this.#newRooms, networksOf(address).household, {
      perSecond: burst / tenMinutesS,
      burst,
    });
  }

  /** Whether the address may have one more TURN sign-in; counts the attempt. */
  mayHaveTurn(address: ClientAddress): boolean {
    const burst = turnSignInsPer10Min * this.#factor(address);
    return this.#take(this.#turnSignIns, address.key, { perSecond: burst / tenMinutesS, burst });
  }

  #factor(address: ClientAddress): number {
    return address.isPrivate ? this.#limits.privateAddressFactor : 1;
  }

  #take(buckets: Map<string, TokenBucket>, key: string, rate: Rate): boolean {
    let bucket = buckets.get(key);
    if (!bucket) {
      this.#sweep();
      bucket = new TokenBucket(rate, this.#clock);
      buckets.set(key, bucket);
    }
    return bucket.take();
  }

  /** Runs rarely: the threshold doubles with the remaining entries, so a flood of addresses costs constant time each. */
  #sweep(): void {
    const all = [this.#newSockets, this.#newRooms, this.#turnSignIns];
    const held = () => all.reduce((sum, { size }) => sum + size, 0);
    if (held() < this.#sweepAt) return;
    for (const buckets of all) {
      for (const [key, bucket] of buckets) if (bucket.isFull) buckets.delete(key);
    }
    this.#sweepAt = Math.max(sweepAt, 2 * held());
  }
}
