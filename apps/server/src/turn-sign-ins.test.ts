import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { testClientId, testRoomTag } from "./testing/test-client.ts";
import { startTestServer } from "./testing/test-server.ts";

const turn = {
  urls: ["turn:turn.example.org:3478", "turns:turn.example.org:5349"],
  secret: "the static-auth-secret of coturn",
};
const room = testRoomTag("a");

describe("the server's relays", () => {
  it("are sent to a member with credentials that coturn accepts for an hour, and not to waiting clients", async () => {
    await using server = await startTestServer({ turn });
    const [owner, guest] = [await server.client(1), await server.client(2)];
    owner.ask(room);
    const { turn: given } = await owner.next("joined");
    const [expires, name] = given?.username.split(":") ?? [];
    expect(given).toEqual({
      urls: turn.urls,
      username: `${expires}:${name}`,
      credential: createHmac("sha1", turn.secret).update(`${expires}:${name}`).digest("base64"),
      lifetimeS: 3_600,
    });
    expect(Number(expires)).toBe(Math.floor(server.clock.now() / 1000) + 3_600);
    guest.ask(room);
    expect(await guest.next("pending")).not.toHaveProperty("turn");
    owner.send({ type: "admit", clientId: testClientId(2) });
    expect((await guest.next("joined")).turn?.username).not.toBe(given?.username);
  });

  it("come with new credentials after half of their lifetime", async () => {
    await using server = await startTestServer({ turn });
    const client = await server.client(1);
    const { turn: first } = await client.join(room);
    const next = async () => {
      client.send({ type: "ping" });
      return (await client.next("pong")).turn;
    };
    expect(await next()).toBeUndefined();
    for (let minute = 1; minute < 60; minute++) {
      server.clock.advance(30_000);
      expect(await next()).toBeUndefined();
    }
    server.clock.advance(30_000);
    const second = await next();
    expect(second?.username).not.toBe(first?.username);
    expect(await next()).toBeUndefined();
  });

  it("are withheld from an address that asked for a hundred sign-ins in ten minutes, which may still join rooms", async () => {
    await using server = await startTestServer({
      turn,
      trustedProxyHops: 1,
      limits: { newRoomsPer10Min: 1_000, newSocketsPerSecond: 1_000 },
    });
    const given: boolean[] = [];
    while (given.length < 102) {
      const client = await server.client(1, "203.0.113.1");
      // A socket may join ten times at once.
      for (let time = 0; time < 6; time++) {
        given.push((await client.join(room)).turn !== undefined);
        client.send({ type: "leave" });
      }
      await client.close();
    }
    expect(given.indexOf(false)).toBe(100);
    const other = await server.client(2, "203.0.113.2");
    expect((await other.join(room)).turn).toBeDefined();
  });

  it("are not mentioned if there are none", async () => {
    await using server = await startTestServer();
    expect(await (await server.client(1)).join(room)).not.toHaveProperty("turn");
  });
});
