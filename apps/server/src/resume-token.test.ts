import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ResumeTokens, resumeTokenLifetimeMs } from "./resume-token.ts";
import { ManualClock } from "./testing/manual-clock.ts";
import { testClientId, testIncarnation, testRoomTag } from "./testing/test-client.ts";

const [ann, bob] = [testClientId(1), testClientId(2)];
const keyless = { clientId: ann, isProven: false };
const room = testRoomTag("a");
const place = { order: 0, isLocked: false, incarnation: testIncarnation(1) };

describe("ResumeTokens", () => {
  it("proves the seat it was issued for, and whether it has expired", () => {
    const clock = new ManualClock();
    const tokens = new ResumeTokens(clock);
    const issuedAt = clock.now();
    const token = tokens.issue(keyless, room, { ...place, order: 7 });
    expect(tokens.verify(ann, room, token)).toEqual({
      incarnation: place.incarnation,
      order: 7,
      issuedAt,
      isFresh: true,
      isProven: false,
      isLocked: false,
    });
    clock.advance(resumeTokenLifetimeMs);
    expect(tokens.verify(ann, room, token)).toEqual({
      incarnation: place.incarnation,
      order: 7,
      issuedAt,
      isFresh: false,
      isProven: false,
      isLocked: false,
    });
  });

  it.each([
    { isProven: false, isLocked: true },
    { isProven: true, isLocked: false },
    { isProven: true, isLocked: true },
  ])("remembers of a seat %o", ({ isProven, isLocked }) => {
    const tokens = new ResumeTokens(new ManualClock());
    const token = tokens.issue({ clientId: ann, isProven }, room, { ...place, isLocked });
    expect(tokens.verify(ann, room, token)).toMatchObject({ isProven, isLocked });
  });

  it("is invalid for another client, room or key", () => {
    const clock = new ManualClock();
    const tokens = new ResumeTokens(clock);
    const token = tokens.issue(keyless, room, place);
    expect(tokens.verify(bob, room, token)).toBeUndefined();
    expect(tokens.verify(ann, testRoomTag("b"), token)).toBeUndefined();
    expect(new ResumeTokens(clock).verify(ann, room, token)).toBeUndefined();
    expect(tokens.verify(ann, room, undefined)).toBeUndefined();
  });

  it("is invalid if any character is changed", () => {
    const tokens = new ResumeTokens(new ManualClock());
    const token = tokens.issue(keyless, room, { ...place, order: 12 });
    const change = fc.record({
      at: fc.nat(token.length - 1),
      to: fc.constantFrom(..."0123456789abcXYZ-_."),
    });
    fc.assert(
      fc.property(change, ({ at, to }) => {
        fc.pre(token[at] !== to);
        const changed = token.slice(0, at) + to + token.slice(at + 1);
        expect(tokens.verify(ann, room, changed)).toBeUndefined();
      }),
    );
  });

  it("is accepted by a process with the same key", () => {
    const clock = new ManualClock();
    const key = "the same key in both processes of it";
    const token = new ResumeTokens(clock, key).issue(keyless, room, { ...place, order: 3 });
    expect(new ResumeTokens(clock, key).verify(ann, room, token)).toMatchObject({ order: 3 });
  });
});
