import { describe, expect, it } from "vitest";
import { toClientAddress } from "../limits/client-address.ts";
import { testClientId } from "../testing/test-client.ts";
import { type MemberSeat, seatToYield } from "./member-seat.ts";

/** Seats in order of arrival, such as `"live 192.0.2.1"`. */
function heldSeats(...given: readonly string[]): MemberSeat[] {
  return given.map((text, index) => {
    const [status, ip = ""] = text.split(" ");
    const member = { clientId: testClientId(index), order: index };
    const rest = { member, address: toClientAddress(ip), isProven: false };
    return status === "kept"
      ? { ...rest, occupancy: { status, since: index, cancelExpiry: () => {} } }
      : { ...rest, occupancy: { status: "live", since: index, listener: () => {} } };
  });
}

/** The position of the seat that yields. */
function yielded(seats: readonly MemberSeat[], newcomer: string): number | undefined {
  return seatToYield(seats, toClientAddress(newcomer))?.member.order;
}

const times = (count: number, seat: string) => Array<string>(count).fill(seat);

describe("the seat that yields in a full room", () => {
  it.each<[name: string, seats: readonly string[], newcomer: string, number | undefined]>([
    ["none, if all are live", ["live 192.0.2.1", "live 192.0.2.2"], "192.0.2.3", undefined],
    ["a kept one", ["live 192.0.2.1", "kept 192.0.2.2"], "192.0.2.3", 1],
    [
      "the longest kept one of the address with the most seats",
      ["kept 192.0.2.1", "live 192.0.2.2", "kept 192.0.2.2", "kept 192.0.2.2"],
      "192.0.2.3",
      2,
    ],
    ["no kept one to an address with as many", ["kept 192.0.2.1", "live 192.0.2.2"], "192.0.2.2", undefined],
    ["a kept one of the newcomer's own", ["live 192.0.2.1", "kept 192.0.2.2"], "192.0.2.2", 1],
    ["no live one of eight", times(8, "live 192.0.2.1"), "192.0.2.2", undefined],
    ["the last live one of nine", times(9, "live 192.0.2.1"), "192.0.2.2", 8],
    [
      "a live one of nine before a kept one of few",
      [...times(9, "live 192.0.2.1"), "kept 192.0.2.2"],
      "192.0.2.3",
      8,
    ],
    [
      "a kept one of nine before a live one",
      ["kept 192.0.2.1", ...times(8, "live 192.0.2.1")],
      "192.0.2.2",
      0,
    ],
    [
      "no live one to an address with eight",
      [...times(24, "live 192.0.2.1"), ...times(8, "live 192.0.2.2")],
      "192.0.2.2",
      undefined,
    ],
    [
      "a live one of an IPv6 /56 with nine networks",
      Array.from({ length: 9 }, (_, index) => `live 2001:db8:1:${(0x100 + index).toString(16)}::1`),
      "192.0.2.2",
      8,
    ],
    [
      "a live one of an IPv6 /48 with 17 households",
      Array.from({ length: 17 }, (_, index) => `live 2001:db8:1:${(index * 0x100).toString(16)}::1`),
      "192.0.2.2",
      16,
    ],
    [
      "no live one of an IPv6 /48 with 16 households",
      Array.from({ length: 16 }, (_, index) => `live 2001:db8:1:${(index * 0x100).toString(16)}::1`),
      "192.0.2.2",
      undefined,
    ],
  ])("is %s", (_name, seats, newcomer, expected) => {
    expect(yielded(heldSeats(...seats), newcomer)).toBe(expected);
  });
});
