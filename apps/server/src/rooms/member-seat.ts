import type { RoomMember } from "@warren/protocol";
import type { CancelTimer } from "../clock.ts";
import { type ClientAddress, networksOf } from "../limits/client-address.ts";
import type { RoomListener } from "../relay/relay.ts";

/** Seats of one household that nobody has to yield: enough for a family, and for its seats kept while a router restarts. */
export const seatsOfHousehold = 8;

/** A member's seat in a room. */
export interface MemberSeat {
  readonly member: RoomMember;
  /** Where its socket came from. */
  address: ClientAddress;
  /** Whether a key was proven for it, now or earlier. */
  isProven: boolean;
  /** Held by a connected socket, or kept for one that dropped. `since` counts arrivals and drops together. */
  occupancy:
    | { readonly status: "live"; readonly listener: RoomListener; readonly since: number }
    | { readonly status: "kept"; readonly cancelExpiry: CancelTimer; readonly since: number };
}

/** The kept seats of a household, longest kept first. */
export function keptOf(seats: Iterable<MemberSeat>, address: ClientAddress): MemberSeat[] {
  const { household } = networksOf(address);
  return [...seats]
    .filter((seat) => seat.occupancy.status === "kept" && networksOf(seat.address).household === household)
    .sort(bySince);
}

/**
 * The seat that a newcomer takes in a full room; undefined if nobody has to yield. A kept one yields to its own household,
 * and to a network with fewer seats; a live one of a household with more than eight to one with fewer than that. The network
 * with the most seats yields first, kept ones before live ones, those that dropped first and those that came last.
 */
export function seatToYield(seats: Iterable<MemberSeat>, newcomer: ClientAddress): MemberSeat | undefined {
  const all = [...seats];
  const seatsOf = seatCounter(all);
  const own = seatsOf(newcomer);
  const { household } = networksOf(newcomer);
  const yields = ({ address, occupancy }: MemberSeat) =>
    occupancy.status === "kept"
      ? seatsOf(address) > own || networksOf(address).household === household
      : seatsOf(address) > seatsOfHousehold && own < seatsOfHousehold;
  const [first] = all.filter(yields).sort((one, other) => {
    const [a, b] = [one.occupancy.status, other.occupancy.status];
    const bySeats = seatsOf(other.address) - seatsOf(one.address);
    if (bySeats !== 0) return bySeats;
    if (a !== b) return a === "kept" ? -1 : 1;
    return a === "kept" ? bySince(one, other) : bySince(other, one);
  });
  return first;
}

/** Counts the seats of a network: those of the household, or half of those of the site if that is more. */
function seatCounter(seats: readonly MemberSeat[]): (address: ClientAddress) => number {
  const counts = new Map<string, number>();
  const add = (network: string, seats: number) => counts.set(network, (counts.get(network) ?? 0) + seats);
  for (const { address } of seats) {
    const { household, site } = networksOf(address);
    add(household, 1);
    if (site !== undefined) add(site, 1 / 2);
  }
  return (address) => {
    const { household, site = "" } = networksOf(address);
    return Math.max(counts.get(household) ?? 0, counts.get(site) ?? 0);
  };
}

function bySince(one: MemberSeat, other: MemberSeat): number {
  return one.occupancy.since - other.occupancy.since;
}
