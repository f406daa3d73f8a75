import type { ServerFrame } from "@warren/protocol";
import { describe, expect, it } from "vitest";
import { greet, lockedRoom, nextKnockMs } from "./testing/test-admission.ts";
import { type TestClient, testClientId, testRoomTag } from "./testing/test-client.ts";
import { createTestIdentity } from "./testing/test-identity.ts";
import { startTestServer, type TestServer } from "./testing/test-server.ts";

const room = testRoomTag("a");
const ann = testClientId(1);
const [home, nat] = ["203.0.113.1", "203.0.113.9"];
const behindProxy = { trustedProxyHops: 1, limits: { newSocketsPerSecond: 1_000, socketsPerAddress: 64 } };

/** Sockets of one address that join and leave as often as the rate of frames allows. */
async function flood(server: TestServer, sockets: number, locked: boolean): Promise<TestClient[]> {
  const attackers = await Promise.all(
    Array.from({ length: sockets }, (_, number) => server.client(100 + number, nat)),
  );
  for (const attacker of attackers) {
    for (let i = 0; i < 70; i++) {
      attacker.ask(room, { locked });
      attacker.send({ type: "leave" });
    }
  }
  await Promise.all(attackers.map((attacker) => Promise.race([attacker.rest(), attacker.closed])));
  return attackers;
}

const countOf = (frames: readonly ServerFrame[], type: ServerFrame["type"]) =>
  frames.filter((frame) => frame.type === type).length;

describe("joins and leaves without end", () => {
  it.each([
    [20, 96],
    [3, 30],
  ])("of %i sockets of one address reach the members at most %i times at once", async (sockets, most) => {
    await using server = await startTestServer(behindProxy);
    const a = await server.client(1, home);
    await a.join(room);
    await flood(server, sockets, false);
    const joins = countOf(await a.rest(), "member-joined");
    expect(joins).toBeGreaterThan(0);
    expect(joins).toBeLessThanOrEqual(most);
    const friend = await server.client(2, "203.0.113.2");
    await friend.join(room);
  });

  it("are answered with the time to wait, and end the socket that does not wait", async () => {
    await using server = await startTestServer(behindProxy);
    const [a, b] = [await server.client(1, home), await server.client(2, nat)];
    await a.join(room);
    const joinAndLeave = () => {
      b.ask(room, { locked: false });
      b.send({ type: "leave" });
    };
    for (let i = 0; i < 11; i++) joinAndLeave();
    const refused = (await b.rest()).filter(({ type }) => type === "error");
    expect(refused).toEqual([
      { type: "error", code: "rate-limited", retryAfterMs: 6_000 },
      { type: "error", code: "not-in-room" },
    ]);
    server.clock.advance(6_000);
    joinAndLeave();
    expect(countOf(await b.rest(), "joined")).toBe(1);
    for (let i = 0; i < 11; i++) joinAndLeave();
    expect(await b.closed).toEqual({ code: 4429, reason: "too-many-joins" });
  });

  it("are refused by the room when an address has used up its joins, however many sockets it opens", async () => {
    await using server = await startTestServer(behindProxy);
    const a = await server.client(1, home);
    await a.join(room);
    await flood(server, 20, false);
    const late = await server.client(200, nat);
    late.ask(room, { locked: false });
    const { code, retryAfterMs = 0 } = await late.next("error");
    expect(code).toBe("rate-limited");
    expect(retryAfterMs).toBeGreaterThan(0);
    server.clock.advance(retryAfterMs);
    await late.join(room);
  });

  it("do not keep a member from its seat, even behind the same address", async () => {
    await using server = await startTestServer(behindProxy);
    const [a, b] = [await server.client(1, home), await server.client(2, nat)];
    await a.join(room);
    const { resumeToken } = await b.join(room);
    await flood(server, 20, false);
    b.socket.terminate();
    const again = await server.client(2, nat);
    expect(await again.join(room, resumeToken)).toMatchObject({ order: 1 });
  });

  it("of a seat that its client takes over and over are refused too", async () => {
    await using server = await startTestServer(behindProxy);
    const [a, b] = [await server.client(1, home), await server.client(2, nat)];
    await a.join(room);
    const { resumeToken } = await b.join(room);
    const answers: ServerFrame["type"][] = [];
    for (let i = 0; i < 8; i++) {
      const again = await server.client(2, nat);
      again.ask(room, { locked: false, resumeToken });
      answers.push(...(await again.rest()).map(({ type }) => type));
    }
    expect(answers).toEqual([...Array<string>(6).fill("joined"), "error", "error"]);
  });
});

describe("joins of honest people", () => {
  it("are not limited when a class of 30 behind one address joins, and reloads three times at once", async () => {
    await using server = await startTestServer({
      ...behindProxy,
      limits: { ...behindProxy.limits, newSocketsPerSecond: 10_000 },
    });
    const numbers = Array.from({ length: 30 }, (_, number) => number + 1);
    const enter = async (number: number, resumeToken?: string) => {
      const client = await server.client(number, nat);
      await client.join(room, resumeToken);
      return client;
    };
    let pupils = await Promise.all(numbers.map((number) => enter(number)));
    for (let reload = 0; reload < 2; reload++) {
      pupils = await Promise.all(
        pupils.map(async (pupil, index) => {
          // As a browser ends the socket of a page that reloads.
          pupil.socket.close(1001);
          await pupil.closed;
          return enter(index + 1, pupil.resumeToken);
        }),
      );
      server.clock.advance(5_000);
    }
    expect(pupils).toHaveLength(30);
  });

  it("let a class of 30 behind one address into a locked room before anybody has to give up", async () => {
    await using server = await startTestServer(behindProxy);
    const [a] = (await lockedRoom(server, room, 1)) as [TestClient];
    const pupils = await Promise.all(Array.from({ length: 30 }, (_, index) => server.client(2 + index, nat)));
    let joined = 0;
    for (const pupil of pupils) pupil.ask(room);
    for (let waitedMs = 0; joined < pupils.length && waitedMs < 19_000; waitedMs += nextKnockMs) {
      server.clock.advance(nextKnockMs);
      for (const frame of await a.rest()) {
        if (frame.type === "knock") a.send({ type: "admit", clientId: frame.clientId });
        else if (frame.type === "member-joined") joined++;
      }
    }
    expect(joined).toBe(30);
  });
});

describe("knocks without end", () => {
  it.each([20, 1])(
    "of %i sockets of one address reach a greeter at a bounded rate, and count",
    async (sockets) => {
      await using server = await startTestServer(behindProxy);
      const [a] = (await lockedRoom(server, room, 1)) as [TestClient];
      await flood(server, sockets, true);
      expect(countOf(await a.rest(), "knock")).toBeLessThanOrEqual(8);

      const friend = await server.client(2, home);
      friend.ask(room);
      expect(await friend.next("pending")).toEqual({ type: "pending" });
      server.clock.advance(nextKnockMs);
      expect(await friend.next("pending")).toMatchObject({ greeter: { clientId: ann } });
      await a.next("knock");
      await greet([a, ann], [friend, testClientId(2)]);
    },
  );

  it("are refused after twenty that were taken back, for the address and the room", async () => {
    await using server = await startTestServer(behindProxy);
    const [a] = (await lockedRoom(server, room, 1)) as [TestClient];
    for (let knock = 0; knock < 20; knock++) {
      const client = await server.client(100 + knock, nat);
      server.clock.advance(nextKnockMs);
      client.ask(room);
      await a.next("knock");
      await client.close();
      await a.next("member-left");
    }
    const late = await server.client(200, nat);
    late.ask(room);
    expect(await late.closed).toEqual({ code: 4429, reason: "too-many-attempts" });
    const friend = await server.client(2, home);
    friend.ask(room);
    await a.next("knock");
  });

  it("of a client that knocks again with another socket count as taken back", async () => {
    await using server = await startTestServer(behindProxy);
    const [a] = (await lockedRoom(server, room, 1)) as [TestClient];
    const identity = await createTestIdentity();
    for (let knock = 0; knock < 20; knock++) {
      const client = await server.client(identity, nat);
      server.clock.advance(nextKnockMs);
      client.ask(room);
      if (knock > 0) await a.next("member-left");
      await a.next("knock");
    }
    const late = await server.client(identity, home);
    late.ask(room);
    expect(await late.closed).toMatchObject({ code: 4429 });
  });
});
