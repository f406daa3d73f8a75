import { describe, expect, it } from "vitest";
import type { Relay } from "./relay/relay.ts";
import { TestClient, testClientId, testIncarnation, testRoomTag } from "./testing/test-client.ts";
import { keylessHello } from "./testing/test-identity.ts";
import { startTestServer } from "./testing/test-server.ts";
import { testBox } from "./testing/test-signals.ts";

const room = testRoomTag("a");

/** A promise that a test resolves from outside. */
function signalled() {
  let resolve = () => {};
  const promise = new Promise<void>((fulfil) => {
    resolve = fulfil;
  });
  return { promise, resolve };
}

describe("a client's socket", () => {
  it.each([
    ["text that is not JSON", "{", 4400, "frame-not-json"],
    ["an unknown frame", '{"type":"kick"}', 4400, "frame-invalid"],
    ["a frame with a wrong field", '{"type":"join","room":"short"}', 4400, "frame-invalid"],
    ["a binary frame", Buffer.from('{"type":"leave"}'), 4400, "frame-not-json"],
    [
      "a second hello",
      JSON.stringify(keylessHello(testClientId(1), "ws://localhost")),
      4400,
      "protocol-violation",
    ],
    ["64 KiB and a byte", "x".repeat(65_537), 1009, ""],
    ["text that is not UTF-8", undefined, 1007, ""],
  ])("is closed after %s, with the reason", async (_name, frame, code, reason) => {
    await using server = await startTestServer();
    const client = await server.client(1);
    const witness = await server.client(2);
    if (frame === undefined) client.socket.send(Buffer.from([0xff, 0xfe]), { binary: false });
    else client.socket.send(frame);
    expect(await client.closed).toEqual({ code, reason });
    expect(await witness.rest()).toEqual([]);
  });

  it("is refused with another version than the server's, so that members of a room speak the same", async () => {
    await using server = await startTestServer();
    const client = await TestClient.open(server.port);
    client.socket.send(JSON.stringify({ ...keylessHello(testClientId(1), "localhost"), version: 3 }));
    expect(await client.closed).toEqual({ code: 4400, reason: "another-version" });
  });

  it("is ignored before its `hello`", async () => {
    await using server = await startTestServer();
    const client = await TestClient.open(server.port);
    client.send({ type: "join", room, locked: false });
    expect(await client.closed).toEqual({ code: 4400, reason: "protocol-violation" });
  });

  it("is closed if it does not send `hello` within 5 s", async () => {
    await using server = await startTestServer();
    const client = await TestClient.open(server.port);
    const greeted = await server.client(1);
    server.clock.advance(5_000);
    expect(await client.closed).toEqual({ code: 4408, reason: "hello-timeout" });
    expect(await greeted.rest()).toEqual([]);
  });

  it("keeps the seat of a client that violated the protocol, as after a drop", async () => {
    await using server = await startTestServer();
    const [a, b] = [await server.client(1), await server.client(2)];
    const { resumeToken } = await a.join(room);
    await b.join(room);
    a.socket.send("{");
    await a.closed;
    expect(await b.rest()).toEqual([]);
    expect(await (await server.client(1)).join(room, resumeToken)).toMatchObject({ order: 0 });
  });

  it("handles frames in order while a join is pending", async () => {
    await using server = await startTestServer();
    const [a, b] = [await server.client(1), await server.client(2)];
    await b.join(room);
    a.send({ type: "join", room, locked: false });
    a.send({ type: "signal", to: testClientId(2), signal: testBox() });
    a.send({ type: "leave" });
    expect((await a.rest()).map((frame) => frame.type)).toEqual(["joined"]);
    expect((await b.rest()).map((frame) => frame.type)).toEqual(["member-joined", "signal", "member-left"]);
  });

  it.each([
    ["kept after a drop", "terminate", "drop"],
    ["freed after a goodbye", "close", "leave"],
  ] as const)("has the seat %s that comes only when the socket is gone", async (_name, ending, givenUpBy) => {
    const calls: string[] = [];
    const gone = signalled();
    const asked = signalled();
    const given = signalled();
    const relay: Relay = {
      state: { rooms: 0, redisServers: 0, redisServersUp: 0 },
      async enter() {
        asked.resolve();
        await gone.promise;
        const giveUp = (how: string) => () => {
          calls.push(how);
          given.resolve();
        };
        const seat = {
          send: () => undefined,
          admit: () => false,
          reject: () => false,
          defer: () => false,
          leave: giveUp("leave"),
          drop: giveUp("drop"),
        };
        return { status: "seated", seat, order: 0, members: [], incarnation: testIncarnation() };
      },
      close() {},
    };
    await using server = await startTestServer({ relay });
    const client = await server.client(1);
    client.send({ type: "join", room, locked: false });
    await asked.promise;
    if (ending === "close") client.socket.close(1000);
    else client.socket.terminate();
    await expect.poll(() => server.logText()).toContain("socket closed");
    gone.resolve();
    await given.promise;
    expect(calls).toEqual([givenUpBy]);
  });

  it("is read no further while its join takes long, and then from where it stopped", async () => {
    const asked = signalled();
    const answered = signalled();
    const relay: Relay = {
      state: { rooms: 0, redisServers: 0, redisServersUp: 0 },
      async enter() {
        asked.resolve();
        await answered.promise;
        return { status: "refused", reason: "room-full" };
      },
      close() {},
    };
    await using server = await startTestServer({ relay, metrics: { port: 0, host: "127.0.0.1" } });
    const framesRead = async () => {
      const text = await (await fetch(`http://127.0.0.1:${server.metricsPort}/metrics`)).text();
      return Number(/warren_frames_total\{type="signal"\} (\d+)/.exec(text)?.[1] ?? 0);
    };
    const client = await server.client(1);
    client.ask(room);
    await asked.promise;
    const frames = 100;
    for (let i = 0; i < frames; i++)
      client.send({ type: "signal", to: testClientId(2), signal: testBox(32_000) });
    // Others are read meanwhile: this one would have been too.
    for (let number = 2; number < 12; number++) await (await server.client(number)).rest();
    expect(await framesRead()).toBeLessThan(10);
    answered.resolve();
    const errors = (await client.rest()).map((frame) => "code" in frame && frame.code);
    expect(errors).toEqual(["room-full", ...Array<string>(frames).fill("not-in-room")]);
    expect(await framesRead()).toBe(frames);
  });

  it("may send a burst and then a limited number of frames a second", async () => {
    await using server = await startTestServer({ limits: { framesPerSecond: 2, frameBurst: 5 } });
    const client = await server.client(1);
    for (let i = 0; i < 4; i++) client.send({ type: "ping" });
    for (let i = 0; i < 4; i++) await client.next("pong");
    server.clock.advance(1_000);
    for (let i = 0; i < 2; i++) client.send({ type: "ping" });
    for (let i = 0; i < 2; i++) await client.next("pong");
    client.send({ type: "ping" });
    expect(await client.closed).toEqual({ code: 4429, reason: "rate-limited" });
  });

  it("counts WebSocket pings against the same rate", async () => {
    await using server = await startTestServer({ limits: { frameBurst: 20 } });
    const client = await server.client(1);
    for (let i = 0; i < 20; i++) client.socket.ping();
    expect(await client.closed).toMatchObject({ code: 4429 });
  });

  it("is pinged every 25 s and lives as long as it answers", async () => {
    await using server = await startTestServer();
    const client = await server.client(1);
    for (let i = 0; i < 6; i++) {
      const pinged = new Promise((resolve) => client.socket.once("ping", resolve));
      server.clock.advance(25_000);
      await pinged;
      expect(await client.rest()).toEqual([]);
    }
  });

  it("is considered dead after 60 s of silence, and its seat is kept", async () => {
    await using server = await startTestServer();
    const client = await TestClient.open(server.port);
    client.socket.pause();
    client.send(keylessHello(testClientId(1), `ws://localhost:${server.port}`));
    client.send({ type: "join", room, locked: false });
    const witness = await server.client(2);
    await witness.join(room);
    server.clock.advance(30_000);
    await witness.rest();
    server.clock.advance(29_999);
    expect(server.logText()).not.toContain("socket closed");
    await witness.rest();
    server.clock.advance(1);
    await expect.poll(() => server.logText()).toContain("socket closed");
    expect((await witness.rest()).some((frame) => frame.type === "member-left")).toBe(false);
  });

  it("is disconnected if it does not read what it is sent, while others are served", async () => {
    await using server = await startTestServer({ limits: { frameBurst: 5_000 } });
    const [slow, sender, witness] = [await server.client(1), await server.client(2), await server.client(3)];
    for (const client of [slow, sender, witness]) await client.join(room);
    slow.socket.pause();
    const signal = testBox(32_000);
    // More than the kernel buffers for a client that does not read, plus what the server buffers.
    for (let i = 0; i < 1_000; i++) sender.send({ type: "signal", to: testClientId(1), signal });
    const refused = (await sender.rest()).filter((frame) => frame.type === "error");
    expect(refused.at(-1)).toEqual({ type: "error", code: "unknown-member" });
    expect((await witness.rest()).some((frame) => frame.type === "member-left")).toBe(false);
    sender.send({ type: "signal", to: testClientId(3), signal });
    await witness.next("signal");
    slow.socket.resume();
    expect(await slow.closed).toMatchObject({ code: 1013, reason: "too-slow" });
  });
});
