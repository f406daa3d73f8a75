import { seatKeptMs } from "@warren/protocol";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Relay, RoomEvent, SeatRequest } from "../relay/relay.ts";
import { resumeTokenLifetimeMs } from "../resume-token.ts";
import { testClientId, testIncarnation, testRoomTag } from "./test-client.ts";
import { testBox } from "./test-signals.ts";

/** Two relays that share their rooms; where rooms live in one process, the same relay twice. */
export interface RelayPair {
  readonly first: Relay;
  readonly second: Relay;
  /** Advances the clock of both. */
  readonly advance: (durationMs: number) => void;
  readonly now: () => number;
  /** How many timers are running. */
  readonly timers: () => number;
  /** Resolves once events in transit have arrived. */
  readonly settle: () => Promise<void>;
}

const room = testRoomTag("a");
const [ann, bob, cid] = [testClientId(1), testClientId(2), testClientId(3)];
const signal = { type: "box", json: JSON.stringify(testBox()) } as const;

type EnterOptions = Partial<SeatRequest> & { readonly isProven?: boolean };

/** The behaviour common to all relays, for rooms of three members. */
export function describeRelay(name: string, createPair: () => RelayPair | Promise<RelayPair>): void {
  describe(`relay: ${name}`, () => {
    let pair: RelayPair;
    beforeEach(async () => {
      pair = await createPair();
    });
    afterEach(async () => {
      await Promise.all([pair.first.close(), pair.second.close()]);
    });

    /** Of the last entered room. */
    let incarnation = testIncarnation();
    async function enter(relay: Relay, clientId: string, options: EnterOptions = {}) {
      const events: RoomEvent[] = [];
      const { isProven = false, ...rest } = options;
      const identity = { clientId, isProven };
      const request = {
        room,
        identity,
        address: { key: "203.0.113.1", isPrivate: false },
        locked: false,
        claim: undefined,
        mayOpenRoom: () => true,
        ...rest,
      };
      const answer = await relay.enter(request, (event) => events.push(event));
      if (answer.status === "refused")
        throw Object.assign(new Error(answer.reason), { retryAfterMs: answer.retryAfterMs });
      if (answer.status === "pending") throw new Error(answer.status);
      ({ incarnation } = answer);
      return { ...answer, events };
    }
    const freshClaim = (order: number) => ({
      incarnation,
      order,
      issuedAt: pair.now(),
      isFresh: true,
      isProven: false,
      isLocked: false,
    });

    it("numbers members in the order in which they enter, across processes", async () => {
      expect(await enter(pair.first, ann)).toMatchObject({ order: 0, members: [] });
      expect(await enter(pair.second, bob)).toMatchObject({
        order: 1,
        members: [{ clientId: ann, order: 0 }],
      });
      expect(await enter(pair.first, cid)).toMatchObject({
        order: 2,
        members: [
          { clientId: ann, order: 0 },
          { clientId: bob, order: 1 },
        ],
      });
    });

    it("does not give an order twice after a member left", async () => {
      const a = await enter(pair.first, ann);
      const b = await enter(pair.first, bob);
      b.seat.leave();
      await pair.settle();
      expect(await enter(pair.second, bob)).toMatchObject({ order: 2 });
      await pair.settle();
      expect(a.events.at(-1)).toEqual({
        type: "member-joined",
        member: { clientId: bob, order: 2 },
        resumed: false,
      });
    });

    it("notifies the others, and only them, of members that join and leave", async () => {
      const a = await enter(pair.first, ann);
      const b = await enter(pair.second, bob);
      b.seat.leave();
      await pair.settle();
      expect(a.events).toEqual([
        { type: "member-joined", member: { clientId: bob, order: 1 }, resumed: false },
        { type: "member-left", clientId: bob },
      ]);
      expect(b.events).toEqual([]);
    });

    it("delivers a signal to its recipient, with the sender's real id", async () => {
      const a = await enter(pair.first, ann);
      const b = await enter(pair.second, bob);
      const c = await enter(pair.first, cid);
      a.seat.send(bob, signal);
      await pair.settle();
      expect(b.events.filter((event) => event.type === "signal")).toEqual([
        { type: "signal", from: ann, signal },
      ]);
      expect([...a.events, ...c.events].some((event) => event.type === "signal")).toBe(false);
    });

    it("delivers no signals to the sender, to strangers or into another room", async () => {
      const a = await enter(pair.first, ann);
      const b = await enter(pair.second, bob, { room: testRoomTag("b") });
      for (const to of [ann, bob, cid]) a.seat.send(to, signal);
      await pair.settle();
      const refusal = { type: "error", code: "unknown-member" };
      expect(a.events).toEqual([refusal, refusal, refusal]);
      expect(b.events).toEqual([]);
    });

    it("refuses a member to a full room, but gives it a kept seat if there is one", async () => {
      const a = await enter(pair.first, ann);
      const b = await enter(pair.second, bob);
      await enter(pair.first, cid);
      await expect(enter(pair.second, testClientId(4))).rejects.toThrow("room-full");
      b.seat.drop();
      await pair.settle();
      await expect(enter(pair.second, testClientId(4))).resolves.toMatchObject({ order: 3 });
      await pair.settle();
      expect(a.events.slice(2)).toMatchObject([
        { type: "member-left", clientId: bob },
        { type: "member-joined" },
      ]);
      await expect(enter(pair.second, bob)).rejects.toThrow("room-full");
    });

    it("asks a member whose kept seat was given away to retry, and no newcomer", async () => {
      await enter(pair.first, ann);
      const b = await enter(pair.second, bob);
      await enter(pair.first, cid);
      b.seat.drop();
      await pair.settle();
      await enter(pair.first, testClientId(4));
      await expect(enter(pair.second, bob, { claim: freshClaim(b.order) })).rejects.toMatchObject({
        message: "room-full",
        retryAfterMs: 5_000,
      });
      await expect(enter(pair.second, testClientId(5))).rejects.toMatchObject({ retryAfterMs: undefined });
    });

    it("gives away kept seats of the address with the most first", async () => {
      const from = (key: string) => ({ address: { key, isPrivate: false } });
      const seats = [
        await enter(pair.first, ann, from("203.0.113.7")),
        await enter(pair.first, bob, from("203.0.113.8")),
        await enter(pair.first, cid, from("203.0.113.8")),
      ];
      for (const { seat } of seats) seat.drop();
      await pair.settle();
      const newcomer = await enter(pair.second, testClientId(4));
      expect(newcomer.members.map(({ clientId }) => clientId)).toEqual([ann, cid]);
    });

    it("ignores a claim to an earlier room of the same name", async () => {
      const { seat, ...earlier } = await enter(pair.first, bob);
      const claim = freshClaim(earlier.order);
      seat.leave();
      await pair.settle();
      await enter(pair.first, ann);
      const b = await enter(pair.first, bob);
      await expect(enter(pair.second, bob, { claim: { ...claim, order: b.order } })).rejects.toThrow(
        "already-in-room",
      );
    });

    it("asks whether a client may open a room, and only before opening one", async () => {
      await expect(enter(pair.first, ann, { mayOpenRoom: () => false })).rejects.toThrow("rate-limited");
      await enter(pair.first, ann);
      await expect(enter(pair.second, bob, { mayOpenRoom: () => false })).resolves.toBeDefined();
    });

    it("keeps a dropped seat for a while, and its client can return without the others noticing", async () => {
      const a = await enter(pair.first, ann);
      const b = await enter(pair.second, bob);
      b.seat.drop();
      await pair.settle();
      pair.advance(seatKeptMs - 1);
      a.seat.send(bob, signal);
      const back = await enter(pair.first, bob, { claim: freshClaim(1) });
      expect(back).toMatchObject({ order: 1, members: [{ clientId: ann, order: 0 }] });
      await pair.settle();
      expect(a.events.slice(1)).toEqual([
        { type: "error", code: "unknown-member" },
        { type: "member-joined", member: { clientId: bob, order: 1 }, resumed: true },
      ]);
      pair.advance(seatKeptMs);
      a.seat.send(bob, signal);
      await pair.settle();
      expect(back.events).toEqual([{ type: "signal", from: ann, signal }]);
    });

    it("lists a kept seat among the members", async () => {
      const a = await enter(pair.first, ann);
      a.seat.drop();
      await pair.settle();
      expect((await enter(pair.second, bob)).members).toEqual([{ clientId: ann, order: 0 }]);
    });

    it("ends a kept seat when its time is over; a client that returns later is new", async () => {
      const a = await enter(pair.first, ann);
      const b = await enter(pair.second, bob);
      b.seat.drop();
      await pair.settle();
      pair.advance(seatKeptMs);
      await pair.settle();
      expect(a.events.at(-1)).toEqual({ type: "member-left", clientId: bob });
      expect(await enter(pair.first, bob, { claim: freshClaim(1) })).toMatchObject({ order: 2 });
    });

    it("lets a claim take over a live seat, after which the old socket has no effect", async () => {
      const a = await enter(pair.first, ann);
      const old = await enter(pair.second, bob);
      const fresh = await enter(pair.first, bob, { claim: freshClaim(1) });
      await pair.settle();
      expect(old.events.at(-1)).toEqual({ type: "replaced" });
      old.seat.drop();
      old.seat.leave();
      old.seat.send(ann, signal);
      fresh.seat.send(ann, signal);
      await pair.settle();
      expect(a.events.map((event) => event.type)).toEqual(["member-joined", "member-joined", "signal"]);
    });

    it("accepts an expired claim only for the seat it names", async () => {
      await enter(pair.first, ann);
      const b = await enter(pair.second, bob);
      const stale = {
        incarnation,
        order: b.order,
        issuedAt: pair.now(),
        isFresh: false,
        isProven: false,
        isLocked: false,
      };
      pair.advance(resumeTokenLifetimeMs);
      await expect(enter(pair.first, bob, { claim: { ...stale, order: 7 } })).rejects.toThrow(
        "already-in-room",
      );
      await expect(enter(pair.first, bob, { claim: stale })).resolves.toMatchObject({ order: b.order });
    });

    it("refuses a client without a claim while a socket holds its seat", async () => {
      await enter(pair.first, ann);
      await expect(enter(pair.second, ann)).rejects.toThrow("already-in-room");
    });

    it("lets a client without a claim replace its kept seat, as the last in order", async () => {
      const a = await enter(pair.first, ann);
      const b = await enter(pair.second, bob);
      b.seat.drop();
      await pair.settle();
      const newcomer = await enter(pair.first, bob);
      expect(newcomer).toMatchObject({ order: 2 });
      await pair.settle();
      expect(a.events.slice(1)).toEqual([
        { type: "member-left", clientId: bob },
        { type: "member-joined", member: { clientId: bob, order: 2 }, resumed: false },
      ]);
      pair.advance(seatKeptMs);
      a.seat.send(bob, signal);
      await pair.settle();
      expect(newcomer.events).toEqual([{ type: "signal", from: ann, signal }]);
    });

    it("lets only the key of a seat take it over, live or kept", async () => {
      const a = await enter(pair.first, ann);
      const old = await enter(pair.second, bob, { isProven: true });
      const thefts = [{}, { claim: freshClaim(old.order) }];
      for (const theft of thefts) {
        await expect(enter(pair.first, bob, theft)).rejects.toThrow("identity");
      }
      const second = await enter(pair.first, bob, { isProven: true });
      expect(second).toMatchObject({ order: 1 });
      await pair.settle();
      expect(old.events.at(-1)).toEqual({ type: "replaced" });
      second.seat.drop();
      await pair.settle();
      for (const theft of thefts) {
        await expect(enter(pair.first, bob, theft)).rejects.toThrow("identity");
      }
      expect(await enter(pair.second, bob, { isProven: true })).toMatchObject({ order: 1 });
      await pair.settle();
      expect(a.events).toEqual([
        { type: "member-joined", member: { clientId: bob, order: 1 }, resumed: false },
        { type: "member-joined", member: { clientId: bob, order: 1 }, resumed: true },
        { type: "member-joined", member: { clientId: bob, order: 1 }, resumed: true },
      ]);
    });

    it("removes a member without a key once the owner of its id's key joins", async () => {
      const a = await enter(pair.first, ann);
      const squatter = await enter(pair.second, bob);
      const owner = await enter(pair.first, bob, { isProven: true });
      expect(owner).toMatchObject({ order: 2 });
      await pair.settle();
      expect(squatter.events.at(-1)).toEqual({ type: "replaced" });
      squatter.seat.send(ann, signal);
      squatter.seat.drop();
      a.seat.send(bob, signal);
      await pair.settle();
      expect(owner.events).toEqual([{ type: "signal", from: ann, signal }]);
      expect(a.events.slice(1)).toEqual([
        { type: "member-left", clientId: bob },
        { type: "member-joined", member: { clientId: bob, order: 2 }, resumed: false },
      ]);
    });

    it("keeps the room of a client that replaces the only seat", async () => {
      const a = await enter(pair.first, ann);
      a.seat.drop();
      await pair.settle();
      await enter(pair.first, ann);
      expect((await enter(pair.second, bob)).members).toEqual([{ clientId: ann, order: 1 }]);
    });

    it("restores the order of a claim older than the process, unless it is taken", async () => {
      const beforeRestart = {
        incarnation: testIncarnation(),
        issuedAt: pair.now() - 60_000,
        isFresh: true,
        isProven: false,
        isLocked: false,
      };
      expect(await enter(pair.first, ann, { claim: { ...beforeRestart, order: 5 } })).toMatchObject({
        order: 5,
      });
      expect(await enter(pair.second, bob, { claim: { ...beforeRestart, order: 5 } })).toMatchObject({
        order: 6,
      });
      expect(await enter(pair.second, cid, { claim: { ...beforeRestart, order: 2 } })).toMatchObject({
        order: 2,
      });
    });

    it("stops all timers when it closes: of kept seats, of newcomers and of its own", async () => {
      const locked = { locked: true, isProven: true };
      const a = await enter(pair.first, ann, locked);
      const identity = { clientId: bob, isProven: true };
      const address = { key: "203.0.113.2", isPrivate: false };
      const request = { room, identity, address, locked: true, claim: undefined, mayOpenRoom: () => true };
      expect(await pair.second.enter(request, () => {})).toMatchObject({ status: "pending" });
      const c = await enter(pair.second, cid, { room: testRoomTag("b") });
      c.seat.drop();
      await pair.settle();
      expect(pair.timers()).toBeGreaterThan(1);
      a.seat.drop();
      await Promise.all([pair.first.close(), pair.second.close()]);
      expect(pair.timers()).toBe(0);
    });

    it("forgets a room when its last seat is gone", async () => {
      const a = await enter(pair.first, ann);
      const b = await enter(pair.second, bob);
      a.seat.leave();
      b.seat.drop();
      await pair.settle();
      pair.advance(seatKeptMs);
      await pair.settle();
      expect(await enter(pair.first, cid)).toMatchObject({ order: 0, members: [] });
    });
  });
}
