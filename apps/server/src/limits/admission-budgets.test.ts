import { describe, expect, it } from "vitest";
import { ManualClock } from "../testing/manual-clock.ts";
import { testClientId, testRoomTag } from "../testing/test-client.ts";
import { AdmissionBudgets, type Applicant } from "./admission-budgets.ts";

const room = testRoomTag("a");
const windowMs = 600_000;
const at = (key: string, isPrivate = false): Applicant => ({
  address: { key, isPrivate },
  identity: { clientId: testClientId(1), isProven: false },
  isReturning: false,
});
const stranger = at("203.0.113.9");
const neighbour = at("192.168.1.4", true);
const strangerAt = (number: number) => at(`198.51.100.${number}`);
/** A /64 in a household's /56 in a site's /48. */
const inSite = (site: number, household: number, network = 0) =>
  at(`2001:db8:${site.toString(16)}:${((household << 8) + network).toString(16)}::/64`);

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

  it("count pending attempts as failures", () => {
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

  it("give a room 30 tests in any ten minutes, and report when the next is free", () => {
    const { clock, budgets } = setUp();
    const startedAt = clock.elapsedMs();
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

  it("refund the test of an admitted client, and no other", () => {
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

  it("count a /56 as one household, and limit a /48 to twice as much", () => {
    const { budgets } = setUp();
    for (let i = 0; i < 5; i++) budgets.reserve(room, inSite(1, 1, i))?.end("failed");
    expect(budgets.isBarred(room, inSite(1, 1, 200))).toBe(true);
    expect(budgets.isBarred(room, inSite(1, 2))).toBe(false);
    for (let i = 0; i < 5; i++) budgets.reserve(room, inSite(1, 2 + i))?.end("failed");
    expect(budgets.isBarred(room, inSite(1, 99))).toBe(true);
    expect(budgets.isBarred(room, inSite(2, 1))).toBe(false);
  });

  it("reserve ten tests for clients without failures of their address or key", () => {
    const { budgets } = setUp();
    const proven = (key: string) => ({ ...at(key), identity: { clientId: testClientId(2), isProven: true } });
    const fail = (applicant: Applicant) => {
      const attempt = budgets.reserve(room, applicant);
      attempt?.test();
      attempt?.end("failed");
      return attempt !== undefined;
    };
    for (let i = 0; i < 20; i++) expect(fail(at(`192.0.2.${i % 5}`))).toBe(true);
    expect(fail(at("192.0.2.1"))).toBe(false);
    expect(fail(proven("203.0.113.1"))).toBe(true);
    expect(fail(proven("203.0.113.2"))).toBe(false);
    for (let i = 0; i < 9; i++) expect(fail(strangerAt(i))).toBe(true);
    expect(fail(strangerAt(9))).toBe(false);
  });

  it("do not use the room's tests for a key that was in it, and bar that key after five failures", () => {
    const { budgets } = setUp();
    for (let i = 0; i < 30; i++) {
      const attempt = budgets.reserve(room, strangerAt(i));
      attempt?.test();
      attempt?.end("failed");
    }
    const member = { ...at("203.0.113.1"), isReturning: true };
    expect(budgets.reserve(room, strangerAt(50))).toBeUndefined();
    for (let i = 0; i < 5; i++) {
      const attempt = budgets.reserve(room, member);
      expect(attempt?.test()).toBe(true);
      attempt?.end("failed");
    }
    expect(budgets.isBarred(room, member)).toBe(true);
  });

  it("allow private addresses more", () => {
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
      budgets.reserve(room, strangerAt(i))?.end("abandoned");
    }
    expect(budgets.isBarred(room, stranger)).toBe(true);
  });
});
