import { createClient } from "@redis/client";
import fc from "fast-check";
import { pino } from "pino";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ManualClock } from "../testing/manual-clock.ts";
import { type RedisServer, startRedis, startRedisGroup } from "../testing/redis-server.ts";
import { describeRelay } from "../testing/relay-contract.ts";
import { testClientId, testRoomTag } from "../testing/test-client.ts";
import { testBox, testStep } from "../testing/test-signals.ts";
import { RedisRelay } from "./redis-relay.ts";
import { type RoomEvent, type SeatRequest, toRelayed } from "./relay.ts";

let redis: RedisServer;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.kill());
beforeEach(async () => {
  await redis.command("FLUSHALL");
  logged = [];
});

let logged: string[] = [];
const log = pino({ level: "warn" }, { write: (line: string) => logged.push(line) });
const beatMs = 1_000;
/** How long a node ignores leases after Redis was unavailable, and a beat. */
const judgeMs = 6_000;
/** How long a node waits for the others to claim their rooms again. */
const forgetsMs = 3_000;

async function openRelay(clock: ManualClock, onBadMessage = () => {}): Promise<RedisRelay> {
  const secret = "the same secret for every node";
  const options = { secret, log, clock, maxMembers: 3, privateAddressFactor: 1, onBadMessage };
  const relay = new RedisRelay({ ...options, url: redis.url });
  await expect.poll(() => relay.isUp).toBe(true);
  return relay;
}

describeRelay("redis", async () => {
  const clock = new ManualClock();
  const [first, second] = [await openRelay(clock), await openRelay(clock)];
  return {
    first,
    second,
    advance: (durationMs) => clock.advance(durationMs),
    now: () => clock.now(),
    timers: () => clock.timers,
    async settle() {
      // From a member's node to the room's home, and from there to another member's node.
      for (const relay of [first, second, first, second]) await relay.check();
    },
  };
});

const room = testRoomTag("a");
const [ann, bob, cid] = [testClientId(1), testClientId(2), testClientId(3)];
const box = toRelayed(testBox());

/** A relay as in its own process: its clock stops when it is dead. */
class Node {
  readonly clock = new ManualClock();
  /** Its lease in Redis. */
  key = "";
  badMessages = 0;
  #relay: RedisRelay | undefined;

  static async start(): Promise<Node> {
    const before = await nodeKeys();
    const node = new Node();
    node.#relay = await openRelay(node.clock, () => {
      node.badMessages += 1;
    });
    await expect.poll(nodeKeys).toHaveLength(before.length + 1);
    node.key = (await nodeKeys()).find((key) => !before.includes(key)) ?? "";
    nodes.push(node);
    return node;
  }

  get relay(): RedisRelay {
    if (!this.#relay) throw new Error("not started");
    return this.#relay;
  }

  /** Lets time pass as on a live node, whose beats end long before the next one. */
  async pass(durationMs: number): Promise<void> {
    for (let passedMs = 0; passedMs < durationMs; passedMs += beatMs) {
      this.clock.advance(beatMs);
      await this.relay.beat();
    }
  }

  async enter(clientId: string, options: Partial<SeatRequest> & { isProven?: boolean } = {}) {
    const { isProven = false, ...rest } = options;
    const events: RoomEvent[] = [];
    const answer = await this.relay.enter(
      {
        room,
        identity: { clientId, isProven },
        address: { key: "203.0.113.1", isPrivate: false },
        locked: false,
        claim: undefined,
        mayOpenRoom: () => true,
        ...rest,
      },
      (event) => events.push(event),
    );
    return {
      answer,
      events,
      ...(answer.status !== "refused" && { way: "seat" in answer ? answer.seat : answer.knock }),
    };
  }

  /** A client that is seated at once. */
  async seat(clientId: string, options: Partial<SeatRequest> & { isProven?: boolean } = {}) {
    const { answer, events } = await this.enter(clientId, options);
    if (answer.status !== "seated") throw new Error(JSON.stringify(answer));
    return { ...answer, events };
  }
}

let nodes: Node[] = [];
afterEach(async () => {
  await Promise.all(nodes.map((node) => node.relay.close()));
  nodes = [];
});

const typesOf = (events: readonly RoomEvent[]) => events.map(({ type }) => type);

const nodeKeys = async (): Promise<string[]> =>
  (await redis.command("KEYS warren:node:*")).match(/warren:node:\S+/g) ?? [];

/** As if a node had not renewed its lease: stops its clock and expires its lease. */
async function kill(dead: Node, others: readonly Node[]): Promise<void> {
  for (const node of others) await node.pass(judgeMs);
  await redis.command(`DEL ${dead.key}`);
  for (const node of others) await node.pass(beatMs);
}

describe("rooms over several nodes", () => {
  it("continue without their home, with everybody's order, and without the home's members", async () => {
    const [home, second, third] = [await Node.start(), await Node.start(), await Node.start()];
    await home.seat(ann);
    const b = await second.seat(bob);
    const c = await third.seat(cid);
    await kill(home, [second, third]);
    await expect
      .poll(async () => {
        b.seat.send(cid, box);
        c.seat.send(bob, box);
        return [typesOf(b.events), typesOf(c.events)];
      })
      .toEqual([expect.arrayContaining(["signal"]), expect.arrayContaining(["signal"])]);
    for (const node of [second, third]) node.clock.advance(20_000);
    await expect.poll(() => b.events.at(-1)).toEqual({ type: "member-left", clientId: ann });
    for (const { events } of [b, c]) {
      const gone = events.flatMap((event) => (event.type === "member-left" ? [event.clientId] : []));
      expect(gone).toEqual([ann]);
      expect(typesOf(events)).not.toContain("turned-away");
    }
    const newcomer = await second.seat(ann);
    expect(newcomer.order).toBe(3);
    expect(newcomer.members).toEqual([
      { clientId: bob, order: 1 },
      { clientId: cid, order: 2 },
    ]);
  });

  it("give a client its order back after its node, the room's home, died", async () => {
    const [home, second] = [await Node.start(), await Node.start()];
    const request = { locked: true, isProven: true };
    const a = await home.seat(ann, request);
    second.clock.advance(60_000);
    const claim = {
      incarnation: a.incarnation,
      order: a.order,
      issuedAt: second.clock.now() - 1,
      isFresh: true,
      isProven: true,
      isLocked: true,
    };
    await kill(home, [second]);
    // A client that comes first without a token does not keep the members out.
    const early = await second.enter(bob, { locked: true, isProven: true });
    const back = await second.seat(ann, { ...request, claim });
    expect(back.order).toBe(a.order);
    expect(back.incarnation).toEqual(a.incarnation);
    expect(early.events).toEqual([{ type: "turned-away", reason: "room-reclaimed" }]);
  });

  describe("whose home is not subscribed", () => {
    const [silent, silentKey] = ["s".repeat(22), `warren:node:${"s".repeat(22)}`];

    /** Opens the room on a home of which Redis has only a lease with this remaining time. */
    async function enterBeside(leaseMs: number) {
      const node = await Node.start();
      const isSeated = async () => {
        await redis.command(`SET warren:room:${room} ${silent}`);
        await redis.command(`SET ${silentKey} 1 PX ${leaseMs}`);
        const entering = node.enter(ann).then(() => true);
        const waited = new Promise((resolve) => setTimeout(resolve, 300, false));
        return Promise.race([entering, waited]).finally(() => redis.command(`DEL ${silentKey}`));
      };
      return { node, isSeated };
    }

    it("move before its lease expires, because it would have renewed it", async () => {
      const { node, isSeated } = await enterBeside(2_900);
      await node.pass(judgeMs);
      expect(await isSeated()).toBe(true);
    });

    it("stay while it may have just lost its connection, while it is subscribed, and after Redis was unavailable", async () => {
      const fresh = await enterBeside(3_900);
      await fresh.node.pass(judgeMs);
      expect(await fresh.isSeated()).toBe(false);

      const listened = await enterBeside(2_900);
      await listened.node.pass(judgeMs);
      const listener = createClient({ url: redis.url });
      await listener.connect();
      await listener.subscribe(silentKey, () => {});
      expect(await listened.isSeated()).toBe(false);
      listener.destroy();

      const justBack = await enterBeside(2_900);
      expect(await justBack.isSeated()).toBe(false);
    });
  });

  it("leave a client its seat if it returns through another node before its old one notices", async () => {
    const [home, second, third] = [await Node.start(), await Node.start(), await Node.start()];
    await home.seat(ann);
    const old = await second.seat(bob);
    await kill(home, [third]);
    const claim = {
      incarnation: old.incarnation,
      order: old.order,
      issuedAt: third.clock.now() - 1,
      isFresh: true,
      isProven: false,
      isLocked: false,
    };
    const back = await third.seat(bob, { claim });
    expect(back.order).toBe(old.order);
    await kill(home, [second]);
    await expect.poll(() => old.events.at(-1)).toEqual({ type: "turned-away", reason: "already-in-room" });
    old.seat.leave();
    const c = await third.seat(cid);
    back.seat.send(cid, box);
    expect(typesOf(c.events)).toContain("signal");
    expect(typesOf(back.events)).toEqual(["member-joined"]);
  });

  it("remove clients of a dead node within 30 s, and keep the room's home", async () => {
    const [home, second] = [await Node.start(), await Node.start()];
    const a = await home.seat(ann);
    await second.seat(bob);
    await kill(second, [home]);
    const since = home.clock.elapsedMs();
    await expect
      .poll(async () => {
        await home.pass(1_000);
        return a.events.at(-1);
      })
      .toEqual({ type: "member-left", clientId: bob });
    // The lease of 4 s has already expired.
    expect(home.clock.elapsedMs() - since).toBeLessThanOrEqual(26_000);
  });

  it("move at once when their node stops", async () => {
    const [home, second, third] = [await Node.start(), await Node.start(), await Node.start()];
    await home.seat(ann, { room: testRoomTag("b") });
    await home.seat(ann);
    const b = await second.seat(bob);
    const c = await third.seat(cid);
    nodes.splice(nodes.indexOf(home), 1);
    await home.relay.close();
    await expect
      .poll(async () => {
        b.seat.send(cid, box);
        return typesOf(c.events);
      })
      .toContain("signal");
    expect(typesOf([...b.events, ...c.events])).not.toContain("turned-away");
  });

  it("admit to a locked room across nodes, only by its greeter", async () => {
    const [home, second] = [await Node.start(), await Node.start()];
    const locked = { locked: true, isProven: true };
    const a = await home.seat(ann, locked);
    const guest = await second.enter(bob, locked);
    expect(guest.answer.status).toBe("pending");
    await second.relay.check();
    await home.relay.check();
    expect(a.events).toEqual([{ type: "knock", clientId: bob }]);
    const [hs1, hs2] = [toRelayed(testStep("hs1")), toRelayed(testStep("hs2"))];
    a.seat.send(bob, hs1);
    await expect.poll(() => guest.events.at(-1)).toEqual({ type: "signal", from: ann, signal: hs1 });
    guest.way?.send(ann, hs2);
    await expect.poll(() => a.events.at(-1)).toEqual({ type: "signal", from: bob, signal: hs2 });
    // The limits of a newcomer also apply on another node.
    guest.way?.send(ann, box);
    await expect.poll(() => guest.events.at(-1)).toEqual({ type: "error", code: "not-in-room" });
    a.seat.admit(bob);
    await expect
      .poll(() => guest.events.at(-1))
      .toMatchObject({ type: "admitted", order: 1, members: [{ clientId: ann, order: 0 }] });
    const wrong = await second.enter(cid, locked);
    await expect.poll(() => a.events.at(-1)).toEqual({ type: "knock", clientId: cid });
    a.seat.reject(cid, "incorrect-password");
    await expect
      .poll(() => wrong.events.at(-1))
      .toEqual({ type: "turned-away", reason: "incorrect-password" });
  });

  it("count a guesser's failures wherever the room lives, also after Redis forgot them", async () => {
    const locked = { locked: true, isProven: true };
    const guesser = { ...locked, address: { key: "198.51.100.7", isPrivate: false } };
    const [first, second, third] = [await Node.start(), await Node.start(), await Node.start()];
    const a = await first.seat(ann, locked);
    const fail = async (failures: number, member: typeof a) => {
      for (let i = 0; i < failures; i++) {
        const guess = await first.enter(bob, guesser);
        if (guess.answer.status !== "pending") throw new Error(JSON.stringify(guess.answer));
        await expect.poll(() => member.events.at(-1)).toEqual({ type: "knock", clientId: bob });
        member.seat.send(bob, toRelayed(testStep("hs1")));
        member.seat.reject(bob, "incorrect-password");
        member.events.length = 0;
        await expect.poll(() => typesOf(guess.events)).toContain("turned-away");
      }
    };
    await fail(3, a);
    await redis.kill();
    await fail(2, a);
    await redis.start();
    await expect.poll(() => redis.command("KEYS warren:guesses:*")).toContain(room);
    expect(await redis.command(`ZRANGE warren:guesses:${room} 0 -1`)).not.toContain("198.51.100");
    await expect.poll(() => second.relay.isUp).toBe(true);
    await expect.poll(() => third.relay.isUp).toBe(true);
    for (const { clock } of [second, third]) clock.advance(forgetsMs);
    // The room ends here and opens on the other node.
    a.seat.leave();
    await expect.poll(() => redis.command("KEYS warren:room:*")).not.toContain(room);
    await second.seat(ann, locked);
    const refused = { status: "refused", reason: "too-many-attempts" };
    expect((await third.enter(bob, guesser)).answer).toEqual(refused);
    // Its new home dies.
    await kill(second, [third]);
    await third.seat(ann, locked);
    expect((await third.enter(bob, guesser)).answer).toEqual(refused);
    const other = { ...locked, address: { key: "198.51.100.8", isPrivate: false } };
    expect((await third.enter(cid, other)).answer.status).toBe("pending");
    await redis.command("FLUSHALL");
  });

  it("read the members again after a node reconnects to Redis, and report nobody twice", async () => {
    const [home, second] = [await Node.start(), await Node.start()];
    const a = await home.seat(ann);
    const b = await second.seat(bob);
    await second.relay.check();
    // Redis closes the subscriptions and refuses new ones and messages, so all of these are lost, however long it takes.
    await redis.command("ACL SETUSER default resetchannels");
    await expect.poll(() => [home.relay.isUp, second.relay.isUp]).toEqual([false, false]);
    const c = await home.seat(cid);
    c.seat.leave();
    await home.seat(testClientId(4));
    // Redis answers this on the connection of those messages, so it has refused them by now.
    await home.seat(ann, { room: testRoomTag("z") });
    await redis.command("ACL SETUSER default allchannels");
    await expect
      .poll(() => b.events)
      .toEqual([{ type: "member-joined", member: { clientId: testClientId(4), order: 3 }, resumed: false }]);
    b.seat.send(ann, box);
    await expect.poll(() => a.events.at(-1)).toEqual({ type: "signal", from: bob, signal: box });
  });

  it("continue among the clients of one node while Redis is unavailable, and are shared again when it is back, empty", async () => {
    const [home, second] = [await Node.start(), await Node.start()];
    const a = await home.seat(ann);
    const b = await second.seat(bob);
    await redis.kill();
    const c = await home.seat(cid);
    c.seat.send(ann, box);
    expect(a.events.at(-1)).toEqual({ type: "signal", from: cid, signal: box });
    await second.seat(ann, { room: testRoomTag("n") });
    await redis.start();
    await expect.poll(() => [home.relay.isUp, second.relay.isUp]).toEqual([true, true]);
    await expect
      .poll(() => b.events.at(-1))
      .toMatchObject({ type: "member-joined", member: { clientId: cid } });
    b.seat.send(cid, box);
    await expect.poll(() => c.events.at(-1)).toEqual({ type: "signal", from: bob, signal: box });
    expect((await home.seat(bob, { room: testRoomTag("n") })).members).toEqual([{ clientId: ann, order: 0 }]);
    expect(typesOf([...a.events, ...b.events])).not.toContain("member-left");
  });

  it("merge after two nodes opened the same one without Redis", async () => {
    const [first, second] = [await Node.start(), await Node.start()];
    await redis.kill();
    const a = await first.seat(ann);
    const b = await second.seat(bob);
    await redis.start();
    const events = () => [...typesOf(a.events), ...typesOf(b.events)];
    // Clients of the second node to claim it must join again, because both had the first seat.
    await expect.poll(events).toContain("turned-away");
    const [moved, stayed] = typesOf(a.events).includes("turned-away") ? [ann, bob] : [bob, ann];
    // Through its own node, whose messages stay in order: through another one, it could overtake its own leave.
    const again = await (moved === ann ? first : second).seat(moved);
    expect(again.members).toEqual([{ clientId: stayed, order: 0 }]);
  });

  it("follow a failover of Redis, whether the old master becomes a replica or is gone", async () => {
    const group = await startRedisGroup();
    const one = redis;
    redis = group;
    const [home, second] = [await Node.start(), await Node.start()];
    const a = await home.seat(ann);
    const b = await second.seat(bob);
    // Also while a node waits for its clock before it answers.
    const beating = setInterval(() => {
      for (const { clock } of [home, second]) clock.advance(beatMs);
    }, 100);
    let rooms = 0;
    const areTogether = async () => {
      b.events.length = 0;
      await expect
        .poll(() => {
          a.seat.send(bob, box);
          return typesOf(b.events);
        })
        .toContain("signal");
      await expect
        .poll(async () => {
          // Another each time: a node that has lost Redis opens it for itself.
          const fresh = { room: String(rooms++).padStart(43, "f") };
          await home.enter(cid, fresh);
          const { answer } = await second.enter(ann, fresh);
          return answer.status === "seated" && answer.members;
        })
        .toEqual([{ clientId: cid, order: 0 }]);
    };
    await areTogether();
    for (const kind of ["planned", "unplanned"] as const) {
      await group.failOver(kind);
      await areTogether();
    }
    expect(typesOf([...a.events, ...b.events])).not.toContain("member-left");
    expect(typesOf([...a.events, ...b.events])).not.toContain("turned-away");
    clearInterval(beating);
    await Promise.all(nodes.splice(0).map(({ relay }) => relay.close()));
    redis = one;
    await group.kill();
  });

  it.each([
    ["its home", `warren:room:${room}`],
    ["the guesses at its password", `warren:guesses:${room}`],
  ])("are usable although Redis has a key of another type in place of %s", async (_what, key) => {
    const locked = { locked: true, isProven: true };
    const spoil = async () => {
      await redis.command(`DEL ${key}`);
      await redis.command(`HSET ${key} a b`);
    };
    const typeOf = (what: string) => redis.command(`TYPE warren:${what}:${room}`);
    const [first, second] = [await Node.start(), await Node.start()];
    await spoil();
    const a = await first.seat(ann, locked);
    await spoil();
    await expect
      .poll(() => {
        first.clock.advance(beatMs);
        return typeOf("room");
      })
      .toContain("string");
    // Once, though it was found twice.
    expect(logged.filter((line) => line.includes("a key of another type"))).toHaveLength(1);
    const guess = await second.enter(bob, locked);
    expect(guess.answer.status).toBe("pending");
    await expect.poll(() => typesOf(a.events)).toContain("knock");
    a.seat.send(bob, toRelayed(testStep("hs1")));
    a.seat.reject(bob, "incorrect-password");
    await expect.poll(() => typeOf("guesses")).toContain("zset");
    await spoil();
    a.seat.leave();
    await expect.poll(() => first.relay.state.rooms).toBe(0);
    await second.seat(cid, locked);
  });

  it("tell a greeter on another node that a newcomer has gone", async () => {
    const locked = { locked: true };
    const [home, second] = [await Node.start(), await Node.start()];
    const a = await home.seat(ann, locked);
    const b = await second.enter(bob, locked);
    await expect.poll(() => typesOf(a.events)).toContain("knock");
    a.seat.admit(bob);
    await expect.poll(() => typesOf(b.events)).toContain("admitted");
    a.seat.leave();
    await expect.poll(() => typesOf(b.events)).toContain("member-left");
    b.events.length = 0;
    const { way } = await home.enter(cid, locked);
    await expect.poll(() => typesOf(b.events)).toEqual(["knock"]);
    if (way && "cancel" in way) way.cancel();
    await expect.poll(() => b.events.at(-1)).toEqual({ type: "member-left", clientId: cid });
  });

  it("ignore unreadable messages, and count them", async () => {
    const [home, second] = [await Node.start(), await Node.start()];
    const a = await home.seat(ann);
    const b = await second.seat(bob);
    const channels = [home.key, second.key];
    const stranger = createClient({ url: redis.url });
    await stranger.connect();
    const sender = second.key.slice("warren:node:".length);
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.json().map((json) => `${sender} ${json}`),
      fc
        .record({
          type: fc.constantFrom("enter", "seated", "event", "act", "check", "checked", "bye?", "__proto__"),
          visit: fc.constantFrom("v".repeat(22), "*", ":", "é"),
          room: fc.constantFrom("*:m", "a:b", room),
          round: fc.integer(),
          number: fc.integer(),
          event: fc.jsonValue(),
          act: fc.jsonValue(),
        })
        .map((message) => `${sender} ${JSON.stringify(message)}`),
    );
    let sent = 0;
    await fc.assert(
      fc.asyncProperty(text, async (each) => {
        sent += 1;
        for (const channel of channels) await stranger.publish(channel, each);
      }),
      { numRuns: process.env.WARREN_LONG === "1" ? 5_000 : 200 },
    );
    await stranger.close();
    b.seat.send(ann, box);
    await expect.poll(() => a.events.at(-1)).toEqual({ type: "signal", from: bob, signal: box });
    expect(typesOf(a.events)).toEqual(["member-joined", "signal"]);
    expect(home.badMessages + second.badMessages).toBeGreaterThan(sent);
  });
});

describe("a closed relay", () => {
  const strangerHome = "s".repeat(22);
  /** A room whose home lives and never answers. */
  const silentHome = async () => {
    await redis.command(`SET warren:node:${strangerHome} 1 PX 60000`);
    await redis.command(`SET warren:room:${room} ${strangerHome}`);
  };
  /** A room whose home does not have it and says so each time. */
  const homeWithout = async () => {
    const home = await Node.start();
    await redis.command(`SET warren:room:${room} ${home.key.slice("warren:node:".length)}`);
  };
  /** Redis was down and may have forgotten where rooms live. */
  const forgetfulRedis = async (node: Node) => {
    await redis.kill();
    await expect.poll(() => node.relay.isUp).toBe(false);
    await redis.start();
    await expect.poll(() => node.relay.isUp).toBe(true);
  };

  it.each([
    ["a silent home", silentHome],
    ["a home that releases the room", homeWithout],
    ["Redis to remember the room", forgetfulRedis],
  ])("lets nobody wait for %s, and leaves no timer behind", async (_name, arrange) => {
    const node = await Node.start();
    await arrange(node);
    const entering = node.enter(ann);
    await new Promise(setImmediate);
    await node.relay.close();
    expect((await entering).answer).toEqual({ status: "refused", reason: "unavailable" });
    expect((await node.enter(bob)).answer).toEqual({ status: "refused", reason: "unavailable" });
    expect(node.clock.timers).toBe(0);
  });

  it("does not wait for a Redis that hangs", async () => {
    const node = await Node.start();
    redis.pause();
    try {
      const closed = node.relay.close();
      await expect.poll(() => node.clock.timers).toBe(1);
      node.clock.advance(beatMs);
      await closed;
    } finally {
      redis.resume();
    }
  });

  it("lets nobody wait for Redis", async () => {
    const clock = new ManualClock();
    const url = "redis://127.0.0.1:1";
    const relay = new RedisRelay({ url, secret: "", log, clock, maxMembers: 3, privateAddressFactor: 1 });
    const up = relay.whenUp(60_000);
    await relay.close();
    await up;
    expect(clock.timers).toBe(0);
  });
});
