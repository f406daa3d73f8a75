import { TokenBuckets } from "@warren/protocol";
import type { Clock } from "../clock.ts";
import type { ServerLimits } from "../config.ts";
import { type ClientAddress, networksOf } from "./client-address.ts";

const tenMinutesS = 600;
/** TURN sign-ins per address: enough for a class behind one NAT. */
const turnSignInsPer10Min = 100;

/** The quotas of an address (open sockets, new sockets, TURN sign-ins) and of its household (new rooms). */
export class AddressLimits {
  readonly #limits: ServerLimits;
  readonly #open = new Map<string, number>();
  readonly #newSockets: TokenBuckets;
  readonly #newRooms: TokenBuckets;
  readonly #turnSignIns: TokenBuckets;

  constructor(limits: ServerLimits, clock: Clock) {
    this.#limits = limits;
    this.#newSockets = new TokenBuckets(clock);
    this.#newRooms = new TokenBuckets(clock);
    this.#turnSignIns = new TokenBuckets(clock);
  }

  /** Whether the address may open one more socket; counts the attempt. */
  mayConnect(address: ClientAddress): boolean {
    const { socketsPerAddress, newSocketsPerSecond } = this.#limits;
    const perSecond = newSocketsPerSecond * this.#factor(address);
    const rate = { perSecond, burst: 2 * perSecond };
    return (
      (this.#open.get(address.key) ?? 0) < socketsPerAddress * this.#factor(address) &&
      this.#newSockets.of(address.key, rate).take()
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
    const { household } = networksOf(address);
    return this.#newRooms.of(household, { perSecond: burst / tenMinutesS, burst }).take();
  }

  /** Whether the address may have one more TURN sign-in; counts the attempt. */
  mayHaveTurn(address: ClientAddress): boolean {
    const burst = turnSignInsPer10Min * this.#factor(address);
    return this.#turnSignIns.of(address.key, { perSecond: burst / tenMinutesS, burst }).take();
  }

  #factor(address: ClientAddress): number {
    return address.isPrivate ? this.#limits.privateAddressFactor : 1;
  }
}
