import { limits } from "@warren/protocol";
import { beforeEach, describe, expect, it } from "vitest";
import { FakeClock } from "../testing/fake-clock.ts";
import { Refusals } from "./refusals.ts";

const mara = "00000000-0000-4000-8000-000000000001";
const tenMinutesMs = 600_000;

let clock: FakeClock;
let refusals: Refusals;
beforeEach(() => {
  clock = new FakeClock();
  refusals = new Refusals(clock);
});

/** Notes violations of a client. @returns what the last one led to */
function violate(clientId: string, times: number): boolean {
  let isExceeded = false;
  for (let n = 0; n < times; n++) isExceeded = refusals.count(clientId, "flood");
  return isExceeded;
}

describe("a client that broke the rules 20 times", () => {
  it("is refused for ten minutes from then on", async () => {
    expect(violate(mara, 19)).toBe(false);
    await clock.advance(tenMinutesMs - 1);
    expect(violate(mara, 1)).toBe(true);
    await clock.advance(tenMinutesMs - 1);
    expect(refusals.remainingMs(mara)).toBe(1);
    await clock.advance(1);
    expect(refusals.remainingMs(mara)).toBe(0);
  });

  it("stays refused however many others break them", () => {
    violate(mara, 20);
    for (let n = 0; n < 2 * limits.roomMembers; n++) violate(`stranger-${n}`, 1);
    expect(refusals.remainingMs(mara)).toBe(tenMinutesMs);
  });

  it("is reported once", () => {
    expect(violate(mara, 20)).toBe(true);
    expect(violate(mara, 20)).toBe(false);
  });
});

it("counts violations of the last ten minutes", async () => {
  violate(mara, 19);
  await clock.advance(tenMinutesMs);
  expect(violate(mara, 19)).toBe(false);
});

it("refuses a client that a person refused until it is admitted", async () => {
  refusals.refuse(mara);
  await clock.advance(10 * tenMinutesMs);
  expect(refusals.remainingMs(mara)).toBe(Number.POSITIVE_INFINITY);
  refusals.admit(mara);
  expect(refusals.remainingMs(mara)).toBe(0);
});
