import { describe, expect, it } from "vitest";
import { readConfig } from "../config.ts";
import { ManualClock } from "../testing/manual-clock.ts";
import { AddressLimits } from "./address-limits.ts";
import { toClientAddress } from "./client-address.ts";

const limits = {
  ...readConfig({}).limits,
  socketsPerAddress: 3,
  newSocketsPerSecond: 1,
  newRoomsPer10Min: 2,
};
const stranger = { key: "203.0.113.9", isPrivate: false };
const neighbour = { key: "192.168.1.4", isPrivate: true };

describe("AddressLimits", () => {
  it("limits open sockets, and allows one more when one closes", () => {
    const clock = new ManualClock();
    const addresses = new AddressLimits(limits, clock);
    for (let i = 0; i < 3; i++) {
      expect(addresses.mayConnect(stranger)).toBe(true);
      addresses.opened(stranger);
      clock.advance(1_000);
    }
    expect(addresses.mayConnect(stranger)).toBe(false);
    expect(addresses.mayConnect({ key: "203.0.113.10", isPrivate: false })).toBe(true);
    addresses.closed(stranger);
    expect(addresses.mayConnect(stranger)).toBe(true);
  });

  it("limits new sockets per second, and allows twice as many at once", () => {
    const clock = new ManualClock();
    const addresses = new AddressLimits(limits, clock);
    const attempts = () => Array.from({ length: 4 }, () => addresses.mayConnect(stranger));
    expect(attempts()).toEqual([true, true, false, false]);
    clock.advance(1_000);
    expect(attempts()).toEqual([true, false, false, false]);
  });

  it("limits new rooms in ten minutes", () => {
    const clock = new ManualClock();
    const addresses = new AddressLimits(limits, clock);
    const attempts = () => Array.from({ length: 3 }, () => addresses.mayOpenRoom(stranger));
    expect(attempts()).toEqual([true, true, false]);
    clock.advance(300_000);
    expect(attempts()).toEqual([true, false, false]);
  });

  it("counts the new rooms of an IPv6 /56 together, and those of the next one separately", () => {
    const addresses = new AddressLimits(limits, new ManualClock());
    const opens = (ip: string) => addresses.mayOpenRoom(toClientAddress(ip));
    expect(["2001:db8:1:100::1", "2001:db8:1:1fe::1", "2001:db8:1:1ff::1"].map(opens)).toEqual([
      ...[true, true, false],
    ]);
    expect(opens("2001:db8:1:200::1")).toBe(true);
  });

  it("multiplies the limits of private addresses", () => {
    const addresses = new AddressLimits(limits, new ManualClock());
    const attempts = Array.from({ length: 101 }, () => addresses.mayConnect(neighbour));
    expect(attempts.filter(Boolean)).toHaveLength(100);
  });

  it("still counts an address after thousands of others were seen", () => {
    const clock = new ManualClock();
    const addresses = new AddressLimits(limits, clock);
    for (let i = 0; i < 3; i++) addresses.mayOpenRoom(stranger);
    for (let i = 0; i < 25_000; i++) addresses.mayConnect({ key: `2001:db8:0:${i}::/64`, isPrivate: false });
    expect(addresses.mayOpenRoom(stranger)).toBe(false);
  });
});
