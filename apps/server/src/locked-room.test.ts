import type { SealedSignal } from "@warren/protocol";
import { describe, expect, it } from "vitest";
import { greet, lockedRoom } from "./testing/test-admission.ts";
import { type TestClient, testClientId, testRoomTag } from "./testing/test-client.ts";
import { startTestServer } from "./testing/test-server.ts";
import { testBox, testStep } from "./testing/test-signals.ts";

const room = testRoomTag("a");
const [ann, bob, cid, dan] = [1, 2, 3, 4].map(testClientId) as [string, string, string, string];
const notAdmitted = { code: 4403, reason: "not-admitted" };
const incorrectPassword = { code: 4403, reason: "incorrect-password" };

describe("a locked room", () => {
  it("is opened by its first member, and admits a newcomer when its greeter does", async () => {
    await using server = await startTestServer();
    const [a] = (await lockedRoom(server, room, 1)) as [TestClient];
    const b = await server.client(2);
    b.ask(room);
    expect(await b.next("pending")).toEqual({ type: "pending", greeter: { clientId: ann, order: 0 } });
    expect(await a.next("knock")).toEqual({ type: "knock", clientId: bob });
    await greet([a, ann], [b, bob]);
    a.send({ type: "admit", clientId: bob });
    expect(await b.next("joined")).toMatchObject({ order: 1, members: [{ clientId: ann, order: 0 }] });
    expect(await a.next("member-joined")).toEqual({
      type: "member-joined",
      member: { clientId: bob, order: 1 },
      resumed: false,
    });
    b.send({ type: "signal", to: ann, signal: testBox() });
    expect(await a.next("signal")).toMatchObject({ from: bob });
  });

  it("reports a newcomer only to its greeter, and reveals nothing of the room to the newcomer", async () => {
    await using server = await startTestServer();
    const [a, b] = (await lockedRoom(server, room, 2)) as [TestClient, TestClient];
    const c = await server.client(3);
    c.ask(room);
    await c.next("pending");
    await a.next("knock");
    b.send({ type: "leave" });
    await a.next("member-left");
    expect(await c.rest()).toEqual([]);
    expect(await b.rest()).toEqual([]);
  });

  it.each([
    ["a client without a password from a locked room", true, false, 4401, "password-required"],
    ["a client with a password from an open room", false, true, 4404, "room-is-open"],
  ])("keeps %s", async (_name, isLocked, locked, code, reason) => {
    await using server = await startTestServer();
    const a = await server.client(1);
    a.ask(room, { locked: isLocked });
    await a.next("joined");
    const b = await server.client(2);
    b.ask(room, { locked });
    expect(await b.closed).toEqual({ code, reason });
    expect(await a.rest()).toEqual([]);
  });

  it("may be opened again, locked or not, once everyone has left", async () => {
    await using server = await startTestServer();
    const [a] = (await lockedRoom(server, room, 1)) as [TestClient];
    a.send({ type: "leave" });
    await a.join(room);
    await (await server.client(2)).join(room);
  });

  it("refuses a newcomer that its greeter rejects", async () => {
    await using server = await startTestServer();
    const [a] = (await lockedRoom(server, room, 1)) as [TestClient];
    const b = await server.client(2);
    b.ask(room);
    await b.next("pending");
    await a.next("knock");
    a.send({ type: "reject", clientId: bob });
    expect(await b.closed).toEqual(incorrectPassword);
    expect(await a.rest()).toEqual([{ type: "member-left", clientId: bob }]);
  });

  it("tells a newcomer that a person has to admit it, and lets it wait a minute", async () => {
    await using server = await startTestServer();
    const [a] = (await lockedRoom(server, room, 1)) as [TestClient];
    const b = await server.client(2);
    b.ask(room);
    const pending = await b.next("pending");
    await a.next("knock");
    a.send({ type: "defer", clientId: bob });
    expect(await b.next("pending")).toEqual({ ...pending, approval: true });
    for (let waitedMs = 0; waitedMs < 50_000; waitedMs += 10_000) {
      server.clock.advance(10_000);
      await Promise.all([a.rest(), b.rest()]);
    }
    await greet([a, ann], [b, bob]);
    a.send({ type: "admit", clientId: bob });
    await b.next("joined");
  });

  it("does not report an untested password as wrong", async () => {
    await using server = await startTestServer();
    const [a] = (await lockedRoom(server, room, 1)) as [TestClient];
    const b = await server.client(2);
    b.ask(room);
    await b.next("pending");
    await a.next("knock");
    a.send({ type: "defer", clientId: bob });
    a.send({ type: "reject", clientId: bob, reason: "not-admitted" });
    await b.next("pending");
    expect(await b.closed).toEqual(notAdmitted);
  });

  it("asks other greeters too while a person decides; the first one to start greets", async () => {
    await using server = await startTestServer();
    const [a, b] = (await lockedRoom(server, room, 2)) as [TestClient, TestClient];
    const c = await server.client(3);
    c.ask(room);
    await c.next("pending");
    await a.next("knock");
    a.send({ type: "defer", clientId: cid });
    await c.next("pending");
    server.clock.advance(5_000);
    expect(await c.next("pending")).toMatchObject({ greeter: { clientId: bob }, approval: true });
    await b.next("knock");
    b.send({ type: "defer", clientId: cid });
    await c.next("pending");
    a.send({ type: "signal", to: cid, signal: testStep("hs1") });
    expect(await c.next("pending")).toMatchObject({ greeter: { clientId: ann } });
    await c.next("signal");
    b.send({ type: "signal", to: cid, signal: testStep("hs1") });
    expect(await b.next("error")).toMatchObject({ code: "unknown-member" });
    a.send({ type: "admit", clientId: cid });
    await c.next("joined");
  });

  it("lets only the greeter decide, and only about waiting clients", async () => {
    await using server = await startTestServer();
    const [a, b] = (await lockedRoom(server, room, 2)) as [TestClient, TestClient];
    const c = await server.client(3);
    c.ask(room);
    await c.next("pending");
    for (const type of ["admit", "reject", "defer"] as const) {
      b.send({ type, clientId: cid });
      expect(await b.next("error")).toEqual({ type: "error", code: "unknown-member" });
      a.send({ type, clientId: bob });
      await a.rest();
      c.send({ type, clientId: cid });
      expect(await c.next("error")).toEqual({ type: "error", code: "not-in-room" });
    }
    b.send({ type: "signal", to: cid, signal: testStep("hs1") });
    expect(await b.next("error")).toMatchObject({ code: "unknown-member" });
    expect(await c.rest()).toEqual([]);
  });

  it("accepts from a newcomer only handshake answers to its greeter, at most four", async () => {
    await using server = await startTestServer();
    const [a, b] = (await lockedRoom(server, room, 2)) as [TestClient, TestClient];
    const c = await server.client(3);
    c.ask(room);
    await c.next("pending");
    await a.next("knock");
    const refusalOf = async (to: string, signal: SealedSignal) => {
      c.send({ type: "signal", to, signal });
      return (await c.next("error")).code;
    };
    for (const step of ["hs1", "hs3"] as const)
      expect(await refusalOf(ann, testStep(step))).toBe("not-in-room");
    expect(await refusalOf(ann, testBox())).toBe("not-in-room");
    expect(await refusalOf(bob, testStep("hs2"))).toBe("unknown-member");
    expect(await refusalOf(dan, testStep("hs2"))).toBe("unknown-member");
    c.ask(testRoomTag("b"));
    expect(await c.next("error")).toMatchObject({ code: "not-in-room" });
    for (let i = 0; i < 4; i++) c.send({ type: "signal", to: ann, signal: testStep(i % 2 ? "hs4" : "hs2") });
    expect(await refusalOf(ann, testStep("hs2"))).toBe("rate-limited");
    expect((await a.rest()).map((frame) => frame.type)).toEqual(Array(4).fill("signal"));
    expect(await b.rest()).toEqual([]);
  });

  it("lets the greeter send anything to the newcomer", async () => {
    await using server = await startTestServer();
    const [a] = (await lockedRoom(server, room, 1)) as [TestClient];
    const b = await server.client(2);
    b.ask(room);
    await b.next("pending");
    await a.next("knock");
    const signals = [testStep("hs1"), testStep("hs3"), ...Array.from({ length: 20 }, () => testBox())];
    for (const signal of signals) a.send({ type: "signal", to: bob, signal });
    for (const signal of signals)
      expect(await b.next("signal")).toEqual({ type: "signal", from: ann, signal });
  });

  it("tells the greeter of a newcomer that stops waiting, which may join another room", async () => {
    await using server = await startTestServer();
    const [a] = (await lockedRoom(server, room, 1)) as [TestClient];
    const b = await server.client(2);
    b.ask(room);
    await b.next("pending");
    b.send({ type: "leave" });
    expect(await b.join(testRoomTag("b"))).toMatchObject({ order: 0 });
    await a.next("knock");
    expect(await a.next("member-left")).toMatchObject({ clientId: bob });
    a.send({ type: "admit", clientId: bob });
    expect(await a.next("error")).toMatchObject({ code: "unknown-member" });
  });
});

describe("the greeter", () => {
  it("is not told that a member left whose kept seat a newcomer asked for in vain", async () => {
    await using server = await startTestServer();
    const [a, b] = (await lockedRoom(server, room, 2)) as [TestClient, TestClient];
    b.socket.terminate();
    // Until the server has noticed, it delivers signals.
    await expect
      .poll(async () => {
        a.send({ type: "signal", to: bob, signal: testBox() });
        return (await a.rest()).length;
      })
      .toBe(1);
    const newcomer = await server.client(2);
    newcomer.ask(room);
    await newcomer.next("pending");
    await a.next("knock");
    newcomer.send({ type: "leave" });
    await newcomer.rest();
    expect(await a.rest()).toEqual([]);
  });

  it("is the longest connected member; the next one after 5 s without hs1, at most three", async () => {
    await using server = await startTestServer();
    const members = (await lockedRoom(server, room, 4)) as [TestClient, TestClient, TestClient, TestClient];
    const [a, b, c, d] = members;
    // A returning member counts as connected last.
    const again = await server.client(1);
    again.ask(room, { resumeToken: a.resumeToken });
    await again.next("joined");
    for (const member of [b, c, d]) await member.rest();

    const e = await server.client(5);
    e.ask(room);
    for (const [index, member] of [b, c, d].entries()) {
      expect(await e.next("pending")).toMatchObject({ greeter: { clientId: testClientId(index + 2) } });
      await member.next("knock");
      server.clock.advance(4_999);
      expect(await e.rest()).toEqual([]);
      server.clock.advance(1);
    }
    expect(await e.closed).toEqual(notAdmitted);
    expect(await again.rest()).toEqual([]);
  });

  it("stays the greeter once it has sent hs1, for 20 s in total", async () => {
    await using server = await startTestServer();
    const [a, b] = (await lockedRoom(server, room, 2)) as [TestClient, TestClient];
    const c = await server.client(3);
    c.ask(room);
    await a.next("knock");
    await c.next("pending");
    await greet([a, ann], [c, cid], "hs1");
    server.clock.advance(19_999);
    expect(await c.rest()).toEqual([]);
    server.clock.advance(1);
    expect(await c.closed).toEqual(incorrectPassword);
    expect(await b.rest()).toEqual([]);
  });

  it("stays the greeter, although silent, if there is no other", async () => {
    await using server = await startTestServer();
    const [a] = (await lockedRoom(server, room, 1)) as [TestClient];
    const b = await server.client(2);
    b.ask(room);
    await b.next("pending");
    await a.next("knock");
    server.clock.advance(19_999);
    expect(await b.rest()).toEqual([]);
    a.send({ type: "admit", clientId: bob });
    await b.next("joined");
  });

  it("is replaced when it disconnects; there is none while all are disconnected", async () => {
    await using server = await startTestServer();
    const [a, b] = (await lockedRoom(server, room, 2)) as [TestClient, TestClient];
    const c = await server.client(3);
    c.ask(room);
    await c.next("pending");
    await a.next("knock");
    await greet([a, ann], [c, cid], "hs1");
    a.send({ type: "leave" });
    expect(await c.next("pending")).toEqual({ type: "pending" });
    expect(await c.next("pending")).toMatchObject({ greeter: { clientId: bob } });
    await b.next("member-left");
    await b.next("knock");
    b.socket.terminate();
    expect(await c.next("pending")).toEqual({ type: "pending" });
    const again = await server.client(2);
    again.ask(room, { resumeToken: b.resumeToken });
    await again.next("joined");
    expect(await c.next("pending")).toMatchObject({ greeter: { clientId: bob } });
    await again.next("knock");
    again.send({ type: "admit", clientId: cid });
    expect(await c.next("joined")).toMatchObject({ order: 2 });
  });

  it("is none once the last member left: the newcomer may return and open the room", async () => {
    await using server = await startTestServer();
    const [a] = (await lockedRoom(server, room, 1)) as [TestClient];
    const b = await server.client(2);
    b.ask(room);
    await b.next("pending");
    a.send({ type: "leave" });
    expect(await b.closed).toEqual({ code: 1013, reason: "room-gone" });
    const again = await server.client(2);
    again.ask(room);
    expect(await again.next("joined")).toMatchObject({ order: 0 });
  });
});
