import type { ClientId, RoomMember, SealedSignal } from "@warren/protocol";
import { beforeEach, describe, expect, it } from "vitest";
import { settle } from "../testing/fake-clock.ts";
import { sampleBox } from "../testing/sample-box.ts";
import { SignallingPages, signallingStatusesOf } from "../testing/signalling-pages.ts";

const ann: ClientId = "00000000-0000-4000-8000-00000000000a";
const ben: ClientId = "00000000-0000-4000-8000-00000000000b";
const offer = sampleBox("offer", "x");

describe("a seat held over websockets", () => {
  let pages: SignallingPages;

  beforeEach(() => {
    pages = new SignallingPages();
  });

  it("offers the server's relays with the newest credentials until they expire, whatever the page's clock", async () => {
    const client = await pages.enter(ann);
    expect(client.relays).toEqual([]);
    const signIn = (username: string) => ({
      urls: ["turn:relay.test:3478"],
      username,
      credential: "AAAA",
      lifetimeS: 20,
    });
    pages.server.send(ann, { type: "pong", turn: signIn("1:first") });
    pages.server.send(ann, { type: "pong", turn: signIn("2:second") });
    pages.clock.set(0);
    expect(client.relays).toEqual([
      { urls: ["turn:relay.test:3478"], username: "2:second", credential: "AAAA" },
    ]);
    await pages.clock.advance(20_000);
    expect(client.relays).toEqual([]);
  });

  describe("after a drop", () => {
    it("takes the same seat again, and reports that it was offline and is online again", async () => {
      const client = await pages.enter(ann);
      const statuses = signallingStatusesOf(client);
      pages.server.drop(ann);
      await pages.clock.advance(500);
      expect(statuses).toEqual(["online", "reconnecting", "online"]);
      expect(pages.framesOf("join").at(-1)).toEqual({
        type: "join",
        room: pages.roomTag,
        locked: false,
        resumeToken: "token-0",
      });
      expect(client.self).toEqual({ clientId: ann, order: 0 });
    });

    it("retries forever, at delays that double up to 30 s", async () => {
      pages.random = 0.999;
      await pages.enter(ann);
      pages.server.isUp = false;
      pages.server.drop(ann);
      await pages.clock.advance(160_000);
      const delays = pages.openedAt.slice(1).map((at, index) => at - (pages.openedAt[index] ?? 0));
      expect(delays.map((delay) => Math.round(delay / 100) / 10)).toEqual([
        0.5, 1, 2, 4, 8, 16, 30, 30, 30, 30,
      ]);
    });

    it("starts with the shortest delay again after a reconnect", async () => {
      pages.random = 0.999;
      await pages.enter(ann);
      for (let drop = 0; drop < 3; drop++) {
        pages.server.drop(ann);
        await pages.clock.advance(500);
      }
      expect(pages.openedAt).toHaveLength(4);
    });

    it("reports members that left or joined meanwhile, and not those that remained", async () => {
      const client = await pages.enter(ann);
      const other = await pages.enter(ben);
      const stays = await pages.enter("00000000-0000-4000-8000-00000000000d");
      const joined: RoomMember[] = [];
      const left: ClientId[] = [];
      client.listenForJoin((member) => joined.push(member));
      client.listenForLeave((clientId) => left.push(clientId));
      expect(joined).toEqual([other.self, stays.self]);
      joined.splice(0);
      pages.server.drop(ann);
      other.destroy();
      const cem = await pages.enter("00000000-0000-4000-8000-00000000000c");
      await pages.clock.advance(500);
      expect(left).toEqual([ben]);
      expect(joined).toEqual([cem.self]);
    });

    it("delivers signals sent within the last 10 s, and not older ones", async () => {
      const other = await pages.enter(ben);
      const client = await pages.enter(ann);
      const received: SealedSignal[] = [];
      other.createSender(ann).listenForSignal((signal) => received.push(signal));
      const sender = client.createSender(ben);
      pages.server.isUp = false;
      pages.server.drop(ann);
      sender.sendSignal(offer);
      await pages.clock.advance(12_000);
      sender.sendSignal(sampleBox("answer", "new"));
      pages.server.isUp = true;
      pages.wake();
      await pages.clock.advance(1_000);
      expect(received).toEqual([sampleBox("answer", "new")]);
    });

    it("sends no signal before the server has given it the seat", async () => {
      const client = await pages.enter(ann);
      await pages.enter(ben);
      const sender = client.createSender(ben);
      pages.server.answers = false;
      pages.server.drop(ann);
      await pages.clock.advance(500);
      const socket = pages.server.sockets.at(-1);
      expect(socket?.readyState).toBe(1);
      sender.sendSignal(offer);
      expect(pages.framesOf("signal")).toHaveLength(0);
    });

    it("keeps at most 64 signals", async () => {
      const client = await pages.enter(ann);
      await pages.enter(ben);
      const sender = client.createSender(ben);
      pages.server.drop(ann);
      for (let i = 0; i < 100; i++) sender.sendSignal(offer);
      await pages.clock.advance(500);
      expect(pages.framesOf("signal")).toHaveLength(64);
    });

    it("presents the newest token received with a pong", async () => {
      await pages.enter(ann);
      pages.server.newToken = "newer";
      await pages.clock.advance(15_000);
      pages.server.drop(ann);
      await pages.clock.advance(500);
      expect(pages.framesOf("join").at(-1)).toMatchObject({ resumeToken: "newer" });
    });

    it("ends permanently when another page took the seat", async () => {
      const client = await pages.enter(ann);
      const statuses = signallingStatusesOf(client);
      pages.server.drop(ann, 4409);
      await pages.clock.advance(120_000);
      expect(statuses).toEqual(["online", "closed"]);
      expect(pages.server.sockets).toHaveLength(1);
    });

    it("returns once there is a seat if the room filled up meanwhile", async () => {
      const client = await pages.enter(ann);
      const statuses = signallingStatusesOf(client);
      pages.server.refusal = "room-full";
      pages.server.drop(ann);
      await pages.clock.advance(60_000);
      pages.server.refusal = null;
      await pages.clock.advance(30_000);
      expect(statuses).toEqual(["online", "reconnecting", "online"]);
    });

    it("waits as long as the server asks before it tries again", async () => {
      const client = await pages.enter(ann);
      Object.assign(pages.server, { refusal: "rate-limited", retryAfterMs: 20_000 });
      pages.server.drop(ann);
      await pages.clock.advance(1_000);
      expect(pages.openedAt).toHaveLength(2);
      pages.server.refusal = null;
      await pages.clock.advance(19_000);
      expect(pages.openedAt).toHaveLength(2);
      const statuses = signallingStatusesOf(client);
      await pages.clock.advance(5_000);
      expect(statuses).toEqual(["reconnecting", "online"]);
    });

    it("retries at once when the machine wakes", async () => {
      pages.random = 0.999;
      const client = await pages.enter(ann);
      const statuses = signallingStatusesOf(client);
      pages.server.isUp = false;
      pages.server.drop(ann);
      await pages.clock.advance(20_000);
      pages.server.isUp = true;
      pages.wake();
      await settle();
      expect(statuses.at(-1)).toBe("online");
    });
  });

  it("pings every 15 s and leaves a socket that is silent for 35 s", async () => {
    const client = await pages.enter(ann);
    const statuses = signallingStatusesOf(client);
    await pages.clock.advance(60_000);
    expect(pages.framesOf("ping")).toHaveLength(4);
    expect(statuses).toEqual(["online"]);
    pages.server.answers = false;
    await pages.clock.advance(34_999);
    expect(statuses).toEqual(["online"]);
    pages.server.answers = true;
    await pages.clock.advance(1_000);
    expect(statuses).toEqual(["online", "reconnecting", "online"]);
    expect(pages.server.sockets).toHaveLength(2);
  });

  it("detects within 5 s a socket that died while the machine slept", async () => {
    const client = await pages.enter(ann);
    const statuses = signallingStatusesOf(client);
    pages.server.answers = false;
    pages.wake();
    await pages.clock.advance(5_000);
    expect(statuses).toEqual(["online", "reconnecting"]);
  });

  it("moves to a new socket before the old one is drained, unnoticed by others", async () => {
    const client = await pages.enter(ann);
    const statuses = signallingStatusesOf(client);
    const other = await pages.enter(ben);
    pages.server.send(ann, { type: "drain", afterMs: 2_000 });
    await pages.clock.advance(1_999);
    expect(pages.server.sockets).toHaveLength(2);
    await pages.clock.advance(1);
    expect(pages.server.sockets).toHaveLength(3);
    expect(pages.server.sockets.map(({ readyState }) => readyState)).toEqual([3, 1, 1]);
    expect(statuses).toEqual(["online"]);
    const received: SealedSignal[] = [];
    client.createSender(ben).listenForSignal((signal) => received.push(signal));
    other.createSender(ann).sendSignal(offer);
    await settle();
    expect(received).toEqual([offer]);
  });

  it("keeps the old socket when the new one fails, until the old one ends", async () => {
    const client = await pages.enter(ann);
    const statuses = signallingStatusesOf(client);
    pages.server.isUp = false;
    pages.server.send(ann, { type: "drain", afterMs: 0 });
    await pages.clock.advance(1_000);
    expect(statuses).toEqual(["online"]);
    pages.server.isUp = true;
    pages.server.drop(ann, 1001);
    await pages.clock.advance(500);
    expect(statuses).toEqual(["online", "reconnecting", "online"]);
  });

  it("drops invalid frames", async () => {
    const client = await pages.enter(ann);
    const statuses = signallingStatusesOf(client);
    for (const frame of ["", "{}", "[1]", '{"type":"signal","from":"x"}', `{"a":"${"x".repeat(70_000)}"}`]) {
      pages.server.sockets.at(0)?.receive(frame);
    }
    await pages.clock.advance(1_000);
    expect(statuses).toEqual(["online"]);
  });
});
