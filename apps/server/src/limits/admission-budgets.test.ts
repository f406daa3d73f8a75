import { describe, expect, it } from "vitest";
import { ManualClock } from "../testing/manual-clock.ts";
import { testRoomTag } from "../testing/test-client.ts";
import { AdmissionBudgets } from "./admission-budgets.ts";

const room = testRoomTag("a");
const windowMs = 600_000;
const stranger = { key: "203.0.113.9", isPrivate: false };
const neighbour = { key: "192.168.1.4", isPrivate: true };
const strangerAt = (number: number) => ({ key: `198.51.100.${number}`, isPrivate: false });

function setUp() {
  const clock = new ManualClock();
  return { clock, budgets: new AdmissionBudgets({ privateAddressFactor: 3 }, clock) };
}

describe("AdmissionBudgets", () => {
  it("bar an address from a room after five failures, until the first is ten minutes old", () => {
    const { clock, budgets } = setUp();
    for (let i = 0; i < 5; i++) {
      expect(budgets.isBarred(room, stranger)).toBe(false);
      budgets.reserve(room, stranger)?.end("failed");
      clock.advance(1_000);
    }
    expect(budgets.isBarred(room, stranger)).toBe(true);
    expect(budgets.reserve(room, stranger)).toBeUndefined();
    expect(budgets.isBarred(testRoomTag("b"), stranger)).toBe(false);
    expect(budgets.isBarred(room, strangerAt(1))).toBe(false);
    clock.advance(windowMs - 5_000);
    expect(budgets.isBarred(room, stranger)).toBe(false);
    budgets.reserve(room, stranger)?.end("failed");
    expect(budgets.isBarred(room, stranger)).toBe(true);
  });

  it("count what is under way as if it would fail", () => {
    const { budgets } = setUp();
    const attempts = Array.from({ length: 6 }, () => budgets.reserve(room, stranger));
    expect(attempts.map((attempt) => attempt !== undefined)).toEqual([true, true, true, true, true, false]);
    expect(budgets.isBarred(room, stranger)).toBe(false);
    attempts[0]?.end("admitted");
    attempts[1]?.end("abandoned");
    expect(budgets.reserve(room, stranger)).toBeDefined();
    expect(budgets.reserve(room, stranger)).toBeDefined();
    expect(budgets.reserve(room, stranger)).toBeUndefined();
  });

  it("give a room 30 tests in any ten minutes, and say when the next is free", () => {
    const { clock, budgets } = setUp();
    const startedAt = clock.now();
    for (let i = 0; i < 30; i++) {
      const attempt = budgets.reserve(room, strangerAt(i));
      expect(attempt?.test()).toBe(true);
      attempt?.end("failed");
      clock.advance(1_000);
    }
    expect(budgets.reserve(room, strangerAt(99))).toBeUndefined();
    expect(budgets.reserve(testRoomTag("b"), strangerAt(99))).toBeDefined();
    expect(budgets.freesAt(room)).toBe(startedAt + windowMs);
    clock.advance(windowMs - 30_000);
    expect(budgets.reserve(room, strangerAt(99))?.test()).toBe(true);
    expect(budgets.reserve(room, strangerAt(98))).toBeUndefined();
  });

  it("give the test of who is let in back, and none of who is not", () => {
    const { budgets } = setUp();
    for (let i = 0; i < 40; i++) {
      const attempt = budgets.reserve(room, strangerAt(i));
      expect(attempt?.test()).toBe(true);
      attempt?.end("admitted");
    }
    expect(budgets.freesAt(room)).toBeUndefined();
    for (let i = 0; i < 5; i++) {
      const attempt = budgets.reserve(room, stranger);
      attempt?.test();
      attempt?.end("abandoned");
    }
    expect(budgets.isBarred(room, stranger)).toBe(true);
  });

  it("allow one's own network more", () => {
    const { budgets } = setUp();
    for (let i = 0; i < 14; i++) budgets.reserve(room, neighbour)?.end("failed");
    expect(budgets.isBarred(room, neighbour)).toBe(false);
    budgets.reserve(room, neighbour)?.end("failed");
    expect(budgets.isBarred(room, neighbour)).toBe(true);
  });

  it("still count an address after thousands of others were seen", () => {
    const { budgets } = setUp();
    for (let i = 0; i < 5; i++) budgets.reserve(room, stranger)?.end("failed");
    for (let i = 0; i < 25_000; i++) {
      budgets.reserve(room, { key: `2001:db8:0:${i}::/64`, isPrivate: false })?.end("abandoned");
    }
    expect(budgets.isBarred(room, stranger)).toBe(true);
  });
});
