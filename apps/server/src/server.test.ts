import { type ServerFrame, seatKeptMs } from "@warren/protocol";
import { describe, expect, it } from "vitest";
import { ManualClock } from "./testing/manual-clock.ts";
import { lockedRoom } from "./testing/test-admission.ts";
import { TestClient, testClientId, testRoomTag } from "./testing/test-client.ts";
import { startTestServer, type TestServer } from "./testing/test-server.ts";
import { testBox, testStep } from "./testing/test-signals.ts";
import { queuesAreShown, unreadAt } from "./testing/unread-at.ts";

const room = testRoomTag("a");
const offer = testBox();
const member = (number: number, order: number) => ({ clientId: testClientId(number), order });

/** Advances the time in steps short enough for the witness's heartbeat; returns what it received meanwhile. */
async function passTime(server: TestServer, witness: TestClient, durationMs: number) {
  const stepMs = 20_000;
  const received: ServerFrame[] = [];
  for (let left = durationMs; left > 0; left -= stepMs) {
    server.clock.advance(Math.min(stepMs, left));
    received.push(...(await witness.rest()));
  }
  return received;
}

describe("a room with dropped members", () => {
  it("keeps few seats of an address that joins and drops, so that others can join", async () => {
    await using server = await startTestServer({
      trustedProxyHops: 1,
      limits: { newSocketsPerSecond: 1_000 },
    });
    for (let number = 1; number <= 31; number++) {
      const ghost = await server.client(number, "203.0.113.9");
      await ghost.join(room);
      ghost.socket.terminate();
    }
    const witness = await server.client(40, "203.0.113.10");
    await witness.join(room);
    await expect
      .poll(async () => {
        const newcomer = await server.client(41, "203.0.113.10");
        const { members } = await newcomer.join(room);
        await newcomer.close();
        return members.length;
      })
      .toBe(9);
  });
});

describe("a full room", () => {
  const behindProxy = { trustedProxyHops: 1, limits: { newSocketsPerSecond: 1_000, socketsPerAddress: 64 } };
  const [home, crowd] = ["203.0.113.1", "203.0.113.9"];
  const crowdOf = (server: TestServer, count: number) =>
    Promise.all(Array.from({ length: count }, (_, number) => server.client(100 + number, crowd)));

  it("keeps the seat of a member that is away, although one address fills the rest", async () => {
    await using server = await startTestServer(behindProxy);
    const a = await server.client(1, home);
    const { resumeToken } = await a.join(room);
    a.socket.terminate();
    for (const client of await crowdOf(server, 40)) {
      client.ask(room, { locked: false });
      await client.rest();
    }
    const again = await server.client(1, home);
    expect(await again.join(room, resumeToken)).toMatchObject({ order: 0 });
  });

  it("takes seats beyond eight of an address for others, the last ones first, and tells their holders", async () => {
    await using server = await startTestServer(behindProxy);
    const many = await crowdOf(server, 32);
    for (const client of many) await client.join(room);
    for (let number = 1; number <= 24; number++) {
      await (await server.client(number, `198.51.100.${number}`)).join(room);
    }
    for (const client of many.slice(8))
      expect(await client.closed).toEqual({ code: 1013, reason: "room-full" });
    const last = await server.client(25, "198.51.100.25");
    last.ask(room, { locked: false });
    expect(await last.next("error")).toEqual({ type: "error", code: "room-full" });

    const back = await server.client(131, crowd);
    back.ask(room, { locked: false, resumeToken: many[31]?.resumeToken });
    expect(await back.next("error")).toEqual({ type: "error", code: "room-full", retryAfterMs: 5_000 });
  });

  it("with a password takes nobody's seat for a client that has not proven that it knows it", async () => {
    await using server = await startTestServer({
      ...behindProxy,
      limits: { ...behindProxy.limits, roomMembers: 2 },
    });
    const [a, b] = (await lockedRoom(server, room, 2)) as [TestClient, TestClient];
    b.socket.terminate();
    await b.closed;
    const stranger = await server.client(3, crowd);
    stranger.ask(room);
    await a.next("knock");
    await stranger.close();
    const again = await server.client(2);
    again.ask(room, { resumeToken: b.resumeToken });
    expect(await again.next("joined")).toMatchObject({ order: 1 });
  });
});

describe("rooms over real sockets", () => {
  it("sends each newcomer the members, and the members each newcomer, in order of joining", async () => {
    await using server = await startTestServer();
    const [a, b, c] = [await server.client(1), await server.client(2), await server.client(3)];
    expect(await c.join(room)).toMatchObject({ order: 0, members: [] });
    expect(await a.join(room)).toMatchObject({ order: 1, members: [member(3, 0)] });
    expect(await b.join(room)).toMatchObject({ order: 2, members: [member(3, 0), member(1, 1)] });
    expect(await c.next("member-joined")).toEqual({
      type: "member-joined",
      member: member(1, 1),
      resumed: false,
    });
    expect(await c.next("member-joined")).toMatchObject({ member: member(2, 2) });
    expect(await a.next("member-joined")).toMatchObject({ member: member(2, 2) });
    expect(await b.rest()).toEqual([]);
  });

  it("relays signals in order, unchanged, with their real sender", async () => {
    await using server = await startTestServer();
    const [a, b] = [await server.client(1), await server.client(2)];
    await a.join(room);
    await b.join(room);
    const step = testStep("hs1");
    const forged = { type: "signal", to: testClientId(2), from: testClientId(9), signal: offer };
    a.socket.send(JSON.stringify(forged));
    a.send({ type: "signal", to: testClientId(2), signal: step });
    expect(await b.next("signal")).toEqual({ type: "signal", from: testClientId(1), signal: offer });
    expect(await b.next("signal")).toEqual({ type: "signal", from: testClientId(1), signal: step });
  });

  it("keeps rooms apart", async () => {
    await using server = await startTestServer();
    const [a, b] = [await server.client(1), await server.client(2)];
    await a.join(room);
    expect(await b.join(testRoomTag("b"))).toMatchObject({ order: 0, members: [] });
    a.send({ type: "signal", to: testClientId(2), signal: offer });
    expect(await a.next("error")).toEqual({
      type: "error",
      code: "unknown-member",
    });
    await b.close();
    expect(await a.rest()).toEqual([]);
  });

  it("refuses frames that do not fit the state, without closing the socket", async () => {
    await using server = await startTestServer();
    const a = await server.client(1);
    a.send({ type: "signal", to: testClientId(2), signal: offer });
    expect(await a.next("error")).toMatchObject({ code: "not-in-room" });
    a.send({ type: "leave" });
    expect(await a.next("error")).toEqual({ type: "error", code: "not-in-room" });
    await a.join(room);
    a.send({ type: "join", room: testRoomTag("b"), locked: false });
    expect(await a.next("error")).toEqual({ type: "error", code: "already-in-room" });
  });

  it("frees the seat at once on leave and on a clean close", async () => {
    await using server = await startTestServer();
    const [a, b] = [await server.client(1), await server.client(2)];
    await a.join(room);
    await b.join(room);
    await a.next("member-joined");
    b.send({ type: "leave" });
    expect(await a.next("member-left")).toEqual({ type: "member-left", clientId: testClientId(2) });
    await b.join(room);
    await a.next("member-joined");
    b.socket.close(1001);
    await a.next("member-left");
  });

  it("keeps the seat of a client whose socket dropped, and returns it within 90 s", async () => {
    await using server = await startTestServer();
    const [a, b] = [await server.client(1), await server.client(2)];
    const { resumeToken } = await a.join(room);
    await b.join(room);
    a.socket.terminate();
    await a.closed;
    await passTime(server, b, seatKeptMs - 1);
    const again = await server.client(1);
    expect(await again.join(room, resumeToken)).toMatchObject({ order: 0, members: [member(2, 1)] });
    expect(await b.rest()).toEqual([{ type: "member-joined", member: member(1, 0), resumed: true }]);
  });

  it("reports after 90 s that a dropped client is gone, and gives it a new seat", async () => {
    await using server = await startTestServer();
    const [a, b] = [await server.client(1), await server.client(2)];
    const { resumeToken } = await a.join(room);
    await b.join(room);
    a.socket.terminate();
    // Once the member can no longer be reached, the server has noticed the drop.
    await expect
      .poll(async () => {
        b.send({ type: "signal", to: testClientId(1), signal: offer });
        return (await b.rest()).map((frame) => frame.type);
      })
      .toEqual(["error"]);
    expect(await passTime(server, b, seatKeptMs - 1)).toEqual([]);
    server.clock.advance(1);
    expect(await b.next("member-left")).toEqual({ type: "member-left", clientId: testClientId(1) });
    const again = await server.client(1);
    expect(await again.join(room, resumeToken)).toMatchObject({ order: 2 });
    expect(await b.next("member-joined")).toMatchObject({ resumed: false });
  });

  it("closes the old socket as replaced when its client returns with the token", async () => {
    await using server = await startTestServer();
    const [old, b] = [await server.client(1), await server.client(2)];
    const { resumeToken } = await old.join(room);
    await b.join(room);
    const fresh = await server.client(1);
    expect(await fresh.join(room, resumeToken)).toMatchObject({ order: 0 });
    expect(await old.closed).toEqual({ code: 4409, reason: "replaced" });
    expect(await b.rest()).toEqual([{ type: "member-joined", member: member(1, 0), resumed: true }]);
    b.send({ type: "signal", to: testClientId(1), signal: offer });
    await fresh.next("signal");
  });

  it("does not let anyone take a live seat without its token", async () => {
    await using server = await startTestServer();
    const [owner, b, thief] = [await server.client(1), await server.client(2), await server.client(1)];
    const { resumeToken } = await owner.join(room);
    const { resumeToken: foreign } = await b.join(room);
    await owner.next("member-joined");
    const otherRoom = (await (await server.client(1)).join(testRoomTag("b"))).resumeToken;
    const wrong = [
      undefined,
      foreign,
      otherRoom,
      resumeToken.slice(0, -1) + (resumeToken.endsWith("A") ? "B" : "A"),
      `1${resumeToken}`,
    ];
    for (const token of wrong) {
      thief.send({ type: "join", room, locked: false, ...(token !== undefined && { resumeToken: token }) });
      expect(await thief.next("error")).toEqual({ type: "error", code: "already-in-room" });
    }
    expect(await owner.rest()).toEqual([]);
  });

  it("restores seats after a restart if the key is configured", async () => {
    const resumeKey = "a key of at least thirty-two characters";
    const first = await startTestServer({ resumeKey });
    const a = await first.client(1);
    const b = await first.client(2);
    await a.join(room);
    const { resumeToken } = await b.join(room);
    await first[Symbol.asyncDispose]();
    const clock = new ManualClock();
    clock.advance(1_000);
    await using second = await startTestServer({ resumeKey, clock });
    expect(await (await second.client(2)).join(room, resumeToken)).toMatchObject({ order: 1 });
  });

  it("limits members of a room and new rooms of an address", async () => {
    await using server = await startTestServer({
      limits: { roomMembers: 2, newRoomsPer10Min: 1, privateAddressFactor: 2, newSocketsPerSecond: 100 },
    });
    const clients = await Promise.all([1, 2, 3].map((number) => server.client(number)));
    const [a, b, c] = clients as [TestClient, TestClient, TestClient];
    await a.join(room);
    await b.join(room);
    c.send({ type: "join", room, locked: false });
    expect(await c.next("error")).toEqual({ type: "error", code: "room-full" });
    await c.join(testRoomTag("b"));
    c.send({ type: "leave" });
    c.send({ type: "join", room: testRoomTag("c"), locked: false });
    expect(await c.next("error")).toEqual({ type: "error", code: "rate-limited" });
    server.clock.advance(1_000);
    await passTime(server, c, 300_000);
    await c.join(testRoomTag("c"));
  });
});

describe("a client that reads nothing", () => {
  it.skipIf(!queuesAreShown)("leaves nothing behind in the system once its socket is given up", async () => {
    await using server = await startTestServer({ limits: { frameBurst: 600 } });
    const [a, b] = [await server.client(1), await server.client(2)];
    await a.join(room);
    await b.join(room);
    b.socket.pause();
    for (let sent = 0; sent < 60; sent++) {
      a.send({ type: "signal", to: testClientId(2), signal: testBox(24_000) });
    }
    await expect.poll(() => unreadAt(server.port)).toBeGreaterThan(500_000);
    await passTime(server, a, 61_000);
    await expect.poll(() => unreadAt(server.port)).toBe(0);
    b.socket.terminate();
  });
});

describe("stopping", () => {
  it("asks clients to move, is not ready meanwhile, and stops once they left", async () => {
    const server = await startTestServer();
    const [a, b] = [await server.client(1), await server.client(2)];
    await a.join(room);
    await b.join(room);
    await a.next("member-joined");
    const stopped = server.stop(20_000);
    for (const client of [a, b]) {
      const { afterMs } = await client.next("drain");
      expect(afterMs).toBeGreaterThanOrEqual(0);
      expect(afterMs).toBeLessThan(20_000);
    }
    expect((await fetch(`http://localhost:${server.port}/readyz`)).status).toBe(503);
    expect((await fetch(`http://localhost:${server.port}/healthz`)).status).toBe(200);
    await expect(TestClient.open(server.port)).rejects.toThrow("503");
    a.send({ type: "signal", to: testClientId(2), signal: offer });
    await b.next("signal");
    await a.close();
    await b.close();
    await stopped;
    await expect(fetch(`http://localhost:${server.port}/healthz`)).rejects.toThrow();
  });

  it("closes the remaining members, without reporting to the others that they left", async () => {
    const server = await startTestServer();
    const [a, b] = [await server.client(1), await server.client(2)];
    await a.join(room);
    await b.join(room);
    await a.next("member-joined");
    const stopped = server.stop(20_000);
    await a.next("drain");
    server.clock.advance(23_000);
    expect(await a.closed).toEqual({ code: 1001, reason: "going-away" });
    expect(await b.closed).toMatchObject({ code: 1001 });
    await stopped;
    await expect(Promise.race([a.next("member-left"), Promise.resolve("nothing")])).resolves.toBe("nothing");
  });

  it("stops at once if nobody is connected", async () => {
    const server = await startTestServer();
    await server.stop(20_000);
    await expect(fetch(`http://localhost:${server.port}/healthz`)).rejects.toThrow();
  });
});
