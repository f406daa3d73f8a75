import { beforeEach, expect, it } from "vitest";
import { FakeClock } from "../../../../packages/core/src/testing/fake-clock.ts";
import { environmentOf } from "./machine-environment.ts";

const loopback = { address: "127.0.0.1", internal: true };
let clock: FakeClock;
let addresses: readonly string[];
let wakes: number;
let stop: () => void;
beforeEach(() => {
  clock = new FakeClock();
  addresses = ["192.168.1.7"];
  wakes = 0;
  const interfaces = () => ({
    lo: [loopback],
    wlan0: addresses.map((address) => ({ address, internal: false })),
  });
  stop = environmentOf(clock, interfaces).on("wake", () => {
    wakes++;
  });
});

/** Two checks later. */
const wakesAfter = async (change: () => void): Promise<number> => {
  change();
  await clock.advance(10_000);
  return wakes;
};

it("wakes once when the machine has another address, and not otherwise", async () => {
  expect(await wakesAfter(() => {})).toBe(0);
  const move = () => {
    addresses = ["10.0.0.3"];
  };
  expect(await wakesAfter(move)).toBe(1);
  expect(await wakesAfter(() => {})).toBe(1);
});

it("wakes when the network is back, not when it goes, even if the address is the same", async () => {
  const home = addresses;
  const unplug = () => {
    addresses = [];
  };
  expect(await wakesAfter(unplug)).toBe(0);
  const plugIn = () => {
    addresses = home;
  };
  expect(await wakesAfter(plugIn)).toBe(1);
});

it("wakes after the machine slept", async () => {
  clock.suspend(120_000);
  expect(await wakesAfter(() => {})).toBe(1);
});

it("stops when it is told to", async () => {
  stop();
  const move = () => {
    addresses = ["10.0.0.3"];
  };
  expect(await wakesAfter(move)).toBe(0);
});
