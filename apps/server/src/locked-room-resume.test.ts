import { seatKeptMs } from "@warren/protocol";
import { describe, expect, it } from "vitest";
import { ManualClock } from "./testing/manual-clock.ts";
import { lockedRoom } from "./testing/test-admission.ts";
import { type TestClient, testClientId, testRoomTag } from "./testing/test-client.ts";
import { createTestIdentity } from "./testing/test-identity.ts";
import { startTestServer } from "./testing/test-server.ts";

const room = testRoomTag("a");
const [ann, bob] = [testClientId(1), testClientId(2)];

describe("returning to a locked room", () => {
  it("needs no greeter with the seat's key", async () => {
    await using server = await startTestServer();
    const [a] = (await lockedRoom(server, room, 1)) as [TestClient];
    const key = await createTestIdentity();
    const b = await server.client(key);
    b.ask(room);
    await b.next("pending");
    await a.next("knock");
    a.send({ type: "admit", clientId: key.clientId });
    await b.next("joined");
    await a.next("member-joined");
    b.socket.terminate();
    const again = await server.client(key);
    again.ask(room);
    expect(await again.next("joined")).toMatchObject({ order: 1 });
    expect(await a.next("member-joined")).toMatchObject({ resumed: true });
  });

  it("needs no greeter with the seat's token", async () => {
    await using server = await startTestServer();
    const [, b] = (await lockedRoom(server, room, 2)) as [TestClient, TestClient];
    b.socket.terminate();
    const again = await server.client(2);
    again.ask(room, { resumeToken: b.resumeToken });
    expect(await again.next("joined")).toMatchObject({ order: 1 });
  });

  it("needs a greeter once the seat is no longer kept, and for a seat without key or token", async () => {
    await using server = await startTestServer();
    const [a] = (await lockedRoom(server, room, 1)) as [TestClient];
    const b = await server.client(2);
    b.ask(room);
    await b.next("pending");
    await a.next("knock");
    a.send({ type: "admit", clientId: bob });
    const { resumeToken } = await b.next("joined");
    await a.next("member-joined");
    b.socket.terminate();
    await expect.poll(() => server.logText()).toContain("socket closed");
    const withoutToken = await server.client(2);
    withoutToken.ask(room);
    await withoutToken.next("pending");
    await a.next("knock");
    await withoutToken.close();
    for (let leftMs = seatKeptMs; leftMs > 0; leftMs -= 15_000) {
      server.clock.advance(15_000);
      await a.rest();
    }
    const late = await server.client(2);
    late.ask(room, { resumeToken });
    await late.next("pending");
    await a.next("knock");
  });

  it("does not work with a token of another room", async () => {
    await using server = await startTestServer();
    const [a] = (await lockedRoom(server, room, 1)) as [TestClient];
    const b = await server.client(2);
    b.ask(testRoomTag("b"));
    const { resumeToken } = await b.next("joined");
    b.send({ type: "leave" });
    b.ask(room, { resumeToken });
    await b.next("pending");
    await a.next("knock");
  });
});

describe("a locked room after a restart", () => {
  const resumeKey = "a key of at least thirty-two characters";

  /** A server restarted while `count` members were in the locked room, and their tokens. */
  async function restarted(count: number) {
    const first = await startTestServer({ resumeKey });
    const members = await lockedRoom(first, room, count);
    const tokens = members.map((member) => member.resumeToken);
    await first[Symbol.asyncDispose]();
    const clock = new ManualClock();
    clock.advance(1_000);
    return { server: await startTestServer({ resumeKey, clock }), tokens };
  }

  it("is locked again by the first returning member, and admits the others at once", async () => {
    const { server, tokens } = await restarted(2);
    await using _ = server;
    for (const [index, resumeToken] of tokens.entries()) {
      const member = await server.client(index + 1);
      member.ask(room, { resumeToken });
      expect(await member.next("joined")).toMatchObject({ order: index });
    }
    const stranger = await server.client(9);
    stranger.ask(room, { locked: false });
    expect(await stranger.closed).toMatchObject({ code: 4401 });
  });

  it("keeps the order and admission of members that were in it longer than the lifetime of a token", async () => {
    const first = await startTestServer({ resumeKey });
    const members = await lockedRoom(first, room, 2);
    for (let minute = 0; minute < 15; minute++) {
      for (let quarter = 0; quarter < 4; quarter++) {
        first.clock.advance(15_000);
        for (const member of members) await member.rest();
      }
    }
    const tokens = members.map((member) => member.resumeToken);
    const now = first.clock.now();
    await first[Symbol.asyncDispose]();
    const clock = new ManualClock();
    clock.advance(now + 1_000 - clock.now());
    await using second = await startTestServer({ resumeKey, clock });
    for (const [index, resumeToken] of tokens.entries()) {
      const member = await second.client(index + 1);
      member.ask(room, { resumeToken });
      expect(await member.next("joined")).toMatchObject({ order: index });
    }
  });

  it("belongs to the members of the last room of that name, not of an earlier one", async () => {
    const first = await startTestServer({ resumeKey });
    const [intruder] = (await lockedRoom(first, room, 1)) as [TestClient];
    const { resumeToken: earlier } = intruder;
    intruder.send({ type: "leave" });
    await intruder.rest();
    first.clock.advance(1_000);
    const member = await first.client(2);
    member.ask(room);
    const { resumeToken: later } = await member.next("joined");
    const now = first.clock.now();
    await first[Symbol.asyncDispose]();
    const clock = new ManualClock();
    clock.advance(now + 1_000 - clock.now());
    await using second = await startTestServer({ resumeKey, clock });
    const squatter = await second.client(1);
    squatter.ask(room, { resumeToken: earlier });
    await squatter.next("joined");
    const back = await second.client(2);
    back.ask(room, { resumeToken: later });
    expect(await back.next("joined")).toMatchObject({ members: [] });
    expect(await squatter.closed).toEqual({ code: 1013, reason: "room-reclaimed" });
    const again = await second.client(1);
    again.ask(room, { resumeToken: earlier });
    await again.next("pending");
    await back.next("knock");
    expect(await back.rest()).toEqual([]);
  });

  it("ends once the returned members have left: older tokens do not remove later members", async () => {
    const { server, tokens } = await restarted(2);
    await using _ = server;
    const member = await server.client(1);
    member.ask(room, { resumeToken: tokens[0] });
    await member.next("joined");
    member.send({ type: "leave" });
    await member.rest();
    const newcomer = await server.client(9);
    newcomer.ask(room);
    await newcomer.next("joined");
    const late = await server.client(2);
    late.ask(room, { resumeToken: tokens[1] });
    await late.next("pending");
    expect(await newcomer.next("knock")).toMatchObject({ clientId: bob });
  });

  it.each([
    ["open", false, { code: 4401, reason: "password-required" }],
    ["under another password", true, { code: 1013, reason: "room-reclaimed" }],
  ])("is reclaimed from a client that opened it %s", async (_name, locked, end) => {
    const { server, tokens } = await restarted(1);
    await using _ = server;
    const newcomer = await server.client(9);
    newcomer.ask(room, { locked });
    const { resumeToken } = await newcomer.next("joined");
    const member = await server.client(1);
    member.ask(room, { resumeToken: tokens[0] });
    expect(await member.next("joined")).toMatchObject({ members: [] });
    expect(await newcomer.closed).toEqual(end);
    const again = await server.client(9);
    again.ask(room, { resumeToken });
    expect(await again.next("pending")).toMatchObject({ greeter: { clientId: ann } });
  });
});
