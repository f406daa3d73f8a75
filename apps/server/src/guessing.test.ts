import { describe, expect, it } from "vitest";
import { greet, lockedRoom, nextKnockMs } from "./testing/test-admission.ts";
import { type TestClient, testClientId, testRoomTag } from "./testing/test-client.ts";
import { createTestIdentity } from "./testing/test-identity.ts";
import { startTestServer, type TestServer } from "./testing/test-server.ts";
import { testStep } from "./testing/test-signals.ts";

const room = testRoomTag("a");
const ann = testClientId(1);
const behindProxy = { trustedProxyHops: 1, limits: { frameBurst: 10_000 } };
const comebacks = process.env.WARREN_LONG === "1" ? 100 : 10;
const tenMinutesMs = 600_000;
/** The rate at which an address may open sockets. */
const nextSocketMs = 1_000;

/** One guess: up to hs3, which shows the guesser whether it was right, then disconnects. @returns whether it got there */
async function guess(server: TestServer, member: TestClient, number: number, ip: string): Promise<boolean> {
  const guesser = await server.client(number, ip);
  server.clock.advance(nextKnockMs);
  guesser.ask(room);
  const { greeter } = await guesser.next("pending");
  if (!greeter) return false;
  await member.next("knock");
  await greet([member, ann], [guesser, testClientId(number)], "hs3");
  guesser.socket.terminate();
  // Once the greeter can no longer reach it, the server has noticed the disconnect.
  for (;;) {
    member.send({ type: "signal", to: testClientId(number), signal: testStep("hs2") });
    if ((await member.rest()).some((frame) => frame.type === "error")) return true;
  }
}

/** Advances the time in steps short enough for the members' heartbeats. */
async function passTime(server: TestServer, members: readonly TestClient[], durationMs: number) {
  for (let leftMs = durationMs; leftMs > 0; leftMs -= 20_000) {
    server.clock.advance(Math.min(20_000, leftMs));
    for (const member of members) await member.rest();
  }
}

describe("guessing the password of a room", () => {
  it("ends after five failures of one address, for ten minutes and only in that room", async () => {
    await using server = await startTestServer(behindProxy);
    const [a] = (await lockedRoom(server, room, 1)) as [TestClient];
    const ip = "203.0.113.9";
    for (let number = 10; number < 15; number++) {
      expect(await guess(server, a, number, ip)).toBe(true);
      server.clock.advance(nextSocketMs);
    }
    const sixth = await server.client(15, ip);
    sixth.ask(room);
    expect(await sixth.closed).toEqual({ code: 4429, reason: "too-many-attempts" });
    expect(await a.rest()).toEqual([]);

    const elsewhere = await server.client(16, ip);
    elsewhere.ask(testRoomTag("b"));
    await elsewhere.next("joined");
    expect(await guess(server, a, 17, "203.0.113.10")).toBe(true);
    expect(await guess(server, a, 18, "2001:db8::1")).toBe(true);

    await passTime(server, [a], tenMinutesMs);
    expect(await guess(server, a, 19, ip)).toBe(true);
  });

  it("counts rejections and silence after hs1, but nothing that is no guess", async () => {
    await using server = await startTestServer(behindProxy);
    const [a] = (await lockedRoom(server, room, 1)) as [TestClient];
    const ip = "203.0.113.9";
    let number = 10;
    const knock = async () => {
      server.clock.advance(nextSocketMs);
      const client = await server.client(++number, ip);
      client.ask(room);
      await client.next("pending");
      await a.next("knock");
      return { client, clientId: testClientId(number) };
    };
    for (let i = 0; i < 6; i++) {
      // No greeter started with it.
      const { client } = await knock();
      await client.close();
      await a.next("member-left");
      // Admitted.
      const { client: member, clientId } = await knock();
      await greet([a, ann], [member, clientId], "hs4");
      a.send({ type: "admit", clientId });
      await member.next("joined");
      await a.next("member-joined");
      await member.close();
      await a.next("member-left");
    }
    for (let i = 0; i < 4; i++) {
      const { client, clientId } = await knock();
      a.send({ type: "reject", clientId });
      await client.closed;
      await a.next("member-left");
    }
    const { client, clientId } = await knock();
    await greet([a, ann], [client, clientId], "hs1");
    server.clock.advance(20_000);
    expect(await client.closed).toMatchObject({ code: 4403 });
    const last = await server.client(++number, ip);
    last.ask(room);
    expect(await last.closed).toMatchObject({ code: 4429 });
  });

  it("counts against an address if a person was asked about it in vain", async () => {
    await using server = await startTestServer(behindProxy);
    const [a] = (await lockedRoom(server, room, 1)) as [TestClient];
    for (let number = 10; number < 15; number++) {
      const client = await server.client(number, "203.0.113.9");
      client.ask(room);
      await client.next("pending");
      await a.next("knock");
      a.send({ type: "defer", clientId: testClientId(number) });
      await client.next("pending");
      await client.close();
      await a.next("member-left");
      server.clock.advance(nextSocketMs);
    }
    const sixth = await server.client(15, "203.0.113.9");
    sixth.ask(room);
    expect(await sixth.closed).toEqual({ code: 4429, reason: "too-many-attempts" });
  });

  it.each(["wait for a person", "do not answer", "answer with an old run", "answer with an old hs4"])(
    "leaves the tests of the room to others while thirty newcomers %s",
    async (how) => {
      await using server = await startTestServer(behindProxy);
      const [a] = (await lockedRoom(server, room, 1)) as [TestClient];
      const knock = async (number: number) => {
        const client = await server.client(number, `198.51.100.${number}`);
        server.clock.advance(nextKnockMs);
        client.ask(room);
        return { client, pending: await client.next("pending") };
      };
      for (let number = 10; number < 40; number++) {
        const { client } = await knock(number);
        await a.next("knock");
        if (how === "wait for a person") {
          a.send({ type: "defer", clientId: testClientId(number) });
          await client.next("pending");
        } else await greet([a, ann], [client, testClientId(number)], "hs1");
        const stale = { "answer with an old run": "hs2", "answer with an old hs4": "hs4" }[how] as
          | "hs2"
          | "hs4";
        if (stale === undefined) continue;
        client.send({ type: "signal", to: ann, signal: testStep(stale) });
        await a.next("signal");
      }
      server.clock.advance(5_000);
      const { client, pending } = await knock(2);
      expect(pending).toMatchObject({ greeter: { clientId: ann } });
      await a.next("knock");
      await greet([a, ann], [client, testClientId(2)], "hs4");
    },
  );

  it("is not faster with many sockets of one address at once", async () => {
    await using server = await startTestServer(behindProxy);
    const [a] = (await lockedRoom(server, room, 1)) as [TestClient];
    const guessers: TestClient[] = [];
    for (let number = 10; number < 18; number++) {
      const guesser = await server.client(number, "203.0.113.9");
      guesser.ask(room);
      guessers.push(guesser);
      const { greeter } = await guesser.next("pending");
      expect(greeter === undefined).toBe(number >= 15);
    }
    expect((await a.rest()).map((frame) => frame.type)).toEqual(Array(5).fill("knock"));
    // One is admitted: the next one is greeted.
    a.send({ type: "admit", clientId: testClientId(10) });
    expect(await guessers[5]?.next("pending")).toMatchObject({ greeter: { clientId: ann } });
    // Others fail: after five failures, the waiting ones are refused.
    for (let number = 11; number < 16; number++) a.send({ type: "reject", clientId: testClientId(number) });
    for (const late of guessers.slice(6)) expect(await late.closed).toMatchObject({ code: 4429 });
  });

  it("is throttled to 30 tests in ten minutes from 200 addresses, while members return and exchange signals", async () => {
    await using server = await startTestServer(behindProxy);
    const [a, b] = (await lockedRoom(server, room, 2)) as [TestClient, TestClient];
    await a.rest();
    let tested = 0;
    for (let i = 0; i < 200; i++) {
      if (await guess(server, a, 100 + i, `198.51.100.${i + 1}`)) tested++;
    }
    expect(tested).toBe(30);

    b.socket.terminate();
    const again = await server.client(2);
    again.ask(room, { resumeToken: b.resumeToken });
    await again.next("joined");
    await a.next("member-joined");
    again.send({ type: "signal", to: ann, signal: testStep("hs2") });
    await a.next("signal");

    const newcomer = await server.client(3, "203.0.113.50");
    newcomer.ask(room);
    expect(await newcomer.next("pending")).toEqual({ type: "pending" });
    server.clock.advance(20_000);
    expect(await newcomer.closed).toEqual({ code: 4403, reason: "not-admitted" });

    await passTime(server, [a, again], tenMinutesMs - 30_000 - 200 * nextKnockMs);
    const waiting = await server.client(4, "203.0.113.51");
    waiting.ask(room);
    expect(await waiting.next("pending")).toEqual({ type: "pending" });
    server.clock.advance(10_000 + nextKnockMs);
    expect(await waiting.next("pending")).toMatchObject({ greeter: { clientId: ann } });
  });

  it("from one /56 leaves the room open to others, and from everywhere to keys that were in it", async () => {
    await using server = await startTestServer(behindProxy);
    const [a] = (await lockedRoom(server, room, 1)) as [TestClient];
    const friend = await createTestIdentity();
    const visit = async (ip: string) => {
      const client = await server.client(friend, ip);
      client.ask(room);
      expect(await client.next("pending")).toMatchObject({ greeter: { clientId: ann } });
      await a.next("knock");
      await greet([a, ann], [client, friend.clientId]);
      a.send({ type: "admit", clientId: friend.clientId });
      await client.next("joined");
      await a.next("member-joined");
      client.send({ type: "leave" });
      await a.next("member-left");
    };
    await visit("203.0.113.50");
    let number = 100;
    let tested = 0;
    for (let network = 0; network < 30; network++) {
      const guesser = await server.client(++number, `2001:db8:0:${(0x1200 + network).toString(16)}::1`);
      guesser.ask(room);
      if (tested < 5) {
        await guesser.next("pending");
        await a.next("knock");
        a.send({ type: "signal", to: testClientId(number), signal: testStep("hs3") });
        await guesser.next("signal");
        tested++;
        a.send({ type: "reject", clientId: testClientId(number) });
        await guesser.closed;
        await a.next("member-left");
      } else expect(await guesser.closed).toEqual({ code: 4429, reason: "too-many-attempts" });
    }
    expect(await guess(server, a, ++number, "203.0.113.60")).toBe(true);
    for (let i = 1; i <= 24; i++) expect(await guess(server, a, ++number, `198.51.100.${i}`)).toBe(true);
    expect(await guess(server, a, ++number, "198.51.100.99")).toBe(false);
    await visit("203.0.113.51");
  });

  it("does not delay returning members while 200 addresses guess at once", async () => {
    const addresses = 200;
    await using server = await startTestServer({
      trustedProxyHops: 1,
      limits: { frameBurst: 100_000, newSocketsPerSecond: 1_000 },
    });
    // A seat may not change its socket more than a few times at once.
    const [a, ...members] = await lockedRoom(server, room, Math.min(comebacks + 1, 31));
    let isOver = false;
    let guesses = 0;
    /** Joins repeatedly, and sends whatever a waiting client can. */
    const besiege = async (address: number) => {
      for (let i = 0; !isOver && i < 1_000; i++) {
        const guesser = await server.client(1_000 + 10_000 * i + address, `198.51.100.${address}`);
        guesser.ask(room);
        guesser.send({ type: "signal", to: ann, signal: testStep("hs2") });
        await Promise.race([guesser.rest(), guesser.closed]);
        guesses++;
        guesser.socket.terminate();
      }
    };
    const siege = Array.from({ length: addresses }, (_, address) => besiege(address + 1));
    await expect.poll(() => guesses, { timeout: 60_000 }).toBeGreaterThan(addresses);
    const joinsMs: number[] = [];
    for (let i = 0; i < comebacks; i++) {
      const index = i % members.length;
      const startedAt = performance.now();
      const again = await server.client(index + 2, "203.0.113.50");
      again.ask(room, { resumeToken: members[index]?.resumeToken });
      await again.next("joined");
      joinsMs.push(performance.now() - startedAt);
      again.socket.terminate();
    }
    isOver = true;
    await Promise.all(siege);
    const p95 = joinsMs.sort((one, other) => one - other)[Math.floor(0.95 * joinsMs.length)] ?? 0;
    process.stdout.write(
      `${guesses} knocks of ${addresses} addresses; a member is back in ${Math.round(p95)} ms (p95)\n`,
    );
    // While other tests run, the time means little; what matters is that they return during the attack.
    expect(p95).toBeLessThan(process.env.WARREN_LONG === "1" ? 5_000 : 60_000);
    a?.socket.terminate();
  }, 300_000);

  it("does not count admitted clients: a full room may join within ten minutes", async () => {
    await using server = await startTestServer({ ...behindProxy, limits: { roomMembers: 64 } });
    const [a] = (await lockedRoom(server, room, 1)) as [TestClient];
    for (let number = 2; number <= 40; number++) {
      const client = await server.client(number, `198.51.100.${number}`);
      server.clock.advance(nextKnockMs);
      client.ask(room);
      expect(await client.next("pending")).toMatchObject({ greeter: { clientId: ann } });
      await a.next("knock");
      await greet([a, ann], [client, testClientId(number)]);
      a.send({ type: "admit", clientId: testClientId(number) });
      await client.next("joined");
      await a.next("member-joined");
    }
  });

  it("counts each test of a second run with the same greeter", async () => {
    await using server = await startTestServer(behindProxy);
    const [a] = (await lockedRoom(server, room, 1)) as [TestClient];
    const guesser = await server.client(2, "203.0.113.9");
    guesser.ask(room);
    await guesser.next("pending");
    await a.next("knock");
    for (let i = 0; i < 31; i++) a.send({ type: "signal", to: testClientId(2), signal: testStep("hs3") });
    const refused = (await a.rest()).filter((frame) => frame.type === "error");
    expect(refused).toEqual([{ type: "error", code: "rate-limited" }]);
  });
});
