import type { PeerMessage } from "@warren/protocol";
import { WarrenError } from "@warren/protocol";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { FakeClock, settle } from "../testing/fake-clock.ts";
import { FakeNetwork } from "../testing/fake-network.ts";
import { MemorySignalling } from "../testing/memory-signalling.ts";
import { createTestRoom, type TestRoom, type TestRoomOptions, untilBothReady } from "../testing/test-room.ts";
import { until } from "../testing/until.ts";

describe("a room", () => {
  let signalling: MemorySignalling;
  let network: FakeNetwork;
  let clock: FakeClock;
  const open = (name: string, more: Partial<TestRoomOptions> = {}) =>
    createTestRoom({
      signalling,
      createPeerConnection: network.createPeerConnection,
      name,
      clock,
      ...more,
    });
  const joined = async (): Promise<[TestRoom, TestRoom]> => {
    const [ann, ben] = [open("Ann"), open("Ben")];
    await ann.room.join();
    await ben.room.join();
    await untilBothReady(ann, ben);
    return [ann, ben];
  };

  beforeEach(() => {
    signalling = new MemorySignalling();
    network = new FakeNetwork();
    clock = new FakeClock();
  });

  it("can be joined while empty, and records when", async () => {
    const ann = open("Ann");
    await ann.room.join();
    expect(ann.room.store.getState()).toEqual({
      status: "connected",
      roomId: "burrow",
      joinedAt: clock.now(),
      signalling: "online",
      peers: {},
    });
  });

  it("is disconnected with the reason, and logs it, when the server does not answer", async () => {
    signalling.stop();
    const warn = vi.fn();
    const ann = open("Ann", { log: { debug: () => {}, warn } });
    await expect(ann.room.join()).rejects.toMatchObject({ code: "signalling-unreachable" });
    expect(warn.mock.calls).toEqual([["could not join the room", { code: "signalling-unreachable" }]]);
    expect(ann.room.store.getState()).toEqual({
      status: "disconnected",
      error: { code: "signalling-unreachable", values: {} },
    });
  });

  it("refuses a second join", async () => {
    const ann = open("Ann");
    await ann.room.join();
    await expect(ann.room.join()).rejects.toMatchObject({ code: "already-connected" });
  });

  it("cancels a join when left in the meantime, and gives up the seat", async () => {
    const [ann, ben] = [open("Ann"), open("Ben")];
    await ben.room.join();
    const joining = ann.room.join();
    ann.room.leave();
    await expect(joining).rejects.toMatchObject({ code: "connection-closed" });
    await settle();
    expect(ann.room.store.getState().status).toBe("disconnected");
    expect(ben.peer(ann.clientId)).toBeUndefined();
  });

  it("leaves nothing running after everyone has left", async () => {
    const [ann, ben] = await joined();
    ann.room.close();
    ben.room.close();
    await clock.advance(1_000);
    expect(clock.timerCount).toBe(0);
    expect(network.made.every((connection) => connection.signalingState === "closed")).toBe(true);
  });

  it("reports peers as ready, lost and left, in this order", async () => {
    const [ann, ben] = [open("Ann"), open("Ben")];
    const seen: string[] = [];
    for (const event of ["peer-ready", "peer-lost", "peer-left"] as const) {
      ann.room.on(event, (clientId) => seen.push(`${event} ${clientId === ben.clientId}`));
    }
    await ann.room.join();
    await ben.room.join();
    await untilBothReady(ann, ben);
    ben.room.leave();
    await ann.untilPeer(ben.clientId, (peer) => peer === undefined);
    expect(seen).toEqual(["peer-ready true", "peer-lost true", "peer-left true"]);
  });

  it("fills in a message's id, time, sender and receiver, and keeps a given id", async () => {
    const [ann, ben] = await joined();
    const parties = { client: ann.clientId, target: ben.clientId, createdAt: clock.now() };
    const text = ann.room.send(ben.clientId, { type: "send-text", data: "hi" });
    expect(text).toMatchObject(parties);
    expect(text.id).toMatch(/^[0-9a-f-]{36}$/);
    const answer = ann.room.send(ben.clientId, {
      type: "check-message",
      id: "answer-to-this",
    });
    await settle();
    expect(ben.messages.slice(-2)).toEqual([text, { ...parties, ...answer, id: "answer-to-this" }]);
  });

  it("reports why a message cannot be sent", async () => {
    const [ann, ben] = await joined();
    const text = { type: "send-text", data: "hi" } as const;
    expect(() => ann.room.send("nobody", text)).toThrow(new WarrenError("no-session", { id: "nobody" }));
    expect(() => ann.room.send(ben.clientId, { ...text, data: "x".repeat(300_000) })).toThrow(
      /over the limit/,
    );
    network.made.at(0)?.close();
    await settle();
    expect(() => ann.room.send(ben.clientId, text)).toThrow(new WarrenError("channel-not-open"));
  });

  it("sends a changed name to everyone, but not the address of a picture", async () => {
    let name = "Ann";
    const ben = open("Ben");
    const ann = open("Ann", {
      profile: () => ({
        roomId: "burrow",
        clientId: "00000000-0000-4000-8000-000000000001",
        password: null,
        name,
        avatar: "https://e.org/a.png",
      }),
    });
    await ben.room.join();
    await ann.room.join();
    const id = "00000000-0000-4000-8000-000000000001";
    await ben.untilPeer(id, (peer) => peer?.profile?.name === "Ann");
    name = "Anna";
    await clock.advance(1_000);
    ann.room.announceProfile();
    await ben.untilPeer(id, (peer) => peer?.profile?.name === "Anna");
    expect(ben.peer(id)?.profile?.avatar).toBeNull();
  });

  it("keeps the same state object when nothing has changed", async () => {
    const [ann] = await joined();
    await settle();
    const changed = vi.fn();
    ann.room.store.subscribe(changed);
    await clock.advance(60_000);
    expect(changed).not.toHaveBeenCalled();
  });

  it("keeps sessions alive and reports the status while the server is unavailable", async () => {
    const [ann, ben] = await joined();
    signalling.stop();
    expect(ann.room.store.getState()).toMatchObject({ signalling: "reconnecting" });
    const sent = ann.room.send(ben.clientId, { type: "send-text", data: "still here" });
    await settle();
    expect(ben.messages.at(-1)).toEqual(sent);
    signalling.resume();
    await until(ann.room.store, (state) => state.status === "connected" && state.signalling === "online");
    expect(ann.peer(ben.clientId)?.session).toBe("connected");
  });

  it("remains joined while a session lives after signalling ended permanently, and leaves when that session drops", async () => {
    const [ann, ben] = await joined();
    signalling.expel(ann.clientId, new WarrenError("signalling-replaced"));
    expect(ann.room.store.getState().status).toBe("connected");
    ann.room.send(ben.clientId, { type: "send-text", data: "still here" });
    ben.room.leave();
    const left = await until(ann.room.store, (state) => state.status === "disconnected");
    expect(left).toEqual({ status: "disconnected", error: { code: "signalling-replaced", values: {} } });
  });

  it("leaves at once when signalling ends permanently and no peer is connected", async () => {
    const ann = open("Ann");
    await ann.room.join();
    signalling.expel(ann.clientId, new WarrenError("room-full"));
    expect(ann.room.store.getState()).toMatchObject({ status: "disconnected", error: { code: "room-full" } });
  });

  it("keeps the session with a peer that only the server has lost track of", async () => {
    const [ann, ben] = await joined();
    signalling.expel(ben.clientId, new WarrenError("signalling-closed"));
    signalling.forget(ben.clientId);
    await settle();
    expect(ann.peer(ben.clientId)?.session).toBe("connected");
    network.made.at(-1)?.close();
    await ann.untilPeer(ben.clientId, (peer) => peer === undefined);
  });

  describe("with a peer that violates the protocol", () => {
    const forgedFrame = (from: TestRoom, to: TestRoom, change: Partial<PeerMessage>) =>
      JSON.stringify({
        type: "send-text",
        id: "forged-message",
        client: from.clientId,
        target: to.clientId,
        createdAt: 1,
        data: "x",
        ...change,
      });
    const channelOf = (index: number) => network.made.at(index)?.channels.at(0);

    it("drops a message sent in another client's name", async () => {
      const [ann, ben] = await joined();
      const before = ann.messages.length;
      channelOf(1)?.send(forgedFrame(ben, ann, { client: ann.clientId }));
      channelOf(1)?.send(forgedFrame(ben, ann, { target: ben.clientId }));
      channelOf(1)?.send("no json");
      await settle();
      expect(ann.messages).toHaveLength(before);
      expect(ann.peer(ben.clientId)?.session).toBe("connected");
    });

    it("closes the session at the 20th violation and refuses the client for 10 minutes", async () => {
      const [ann, ben] = await joined();
      for (let i = 0; i < 19; i++) channelOf(1)?.send(forgedFrame(ben, ann, { client: ann.clientId }));
      await settle();
      expect(ann.peer(ben.clientId)?.session).toBe("connected");
      channelOf(1)?.send("no json");
      await settle();
      expect(ann.peer(ben.clientId)).toMatchObject({
        session: "closed",
        ready: false,
        error: { code: "protocol-violation", values: { issue: "forged client" } },
      });

      ben.room.leave();
      await ann.untilPeer(ben.clientId, (peer) => peer === undefined);
      await ben.room.join();
      await clock.advance(9 * 60_000);
      expect(ann.peer(ben.clientId)).toMatchObject({
        session: "closed",
        error: { code: "protocol-violation", values: { issue: "forged client" } },
      });
      await clock.advance(60_000);
      await ann.untilPeer(ben.clientId, (peer) => peer?.session === "connected");
    });
  });

  describe("with servers that the browser refuses", () => {
    const turn = { authMethod: "longterm", url: "turn:a.test:99999", username: "u", password: "p" } as const;
    const servers = { stuns: ["stun:b.test?transport=udp", "stun:c.test"], turns: [turn] };

    it("meets with the others, tries each once, and names those it does without", async () => {
      for (const url of [turn.url, "stun:b.test?transport=udp", "turn:d.test:0"])
        network.refusedUrls.add(url);
      const create = vi.spyOn(network, "create");
      signalling.relays = [{ urls: ["turn:d.test:0", "turn:d.test"], username: "u", credential: "c" }];
      const options = () => ({ servers, relayOnly: false });
      const [ann, ben] = [open("Ann", { options }), open("Ben", { options })];
      await ann.room.join();
      await ben.room.join();
      await untilBothReady(ann, ben);
      const used = network.made.at(-1)?.configuration.iceServers?.map(({ urls }) => urls);
      expect(used).toEqual(["stun:c.test", "turn:d.test"]);
      const refused = (url: string) => ({
        url,
        error: { code: "server-refused", values: { url, reason: `'${url}' is not valid.` } },
      });
      expect(ann.room.leftOutServers.getState()).toEqual(
        ["stun:b.test?transport=udp", turn.url, "turn:d.test:0"].map(refused),
      );
      const triedAlone = create.mock.calls.filter(([{ iceServers }]) => iceServers?.length === 1).length;
      ann.room.leave();
      await ben.untilPeer(ann.clientId, (peer) => peer === undefined);
      await ann.room.join();
      await untilBothReady(ann, ben);
      expect(create.mock.calls.filter(([{ iceServers }]) => iceServers?.length === 1)).toHaveLength(
        triedAlone,
      );
    });

    it("reveals no address when it may only be reached by relay and no relay is left", async () => {
      network.refusedUrls.add(turn.url);
      const ann = open("Ann", { options: () => ({ servers, relayOnly: true }) });
      const ben = open("Ben");
      await ann.room.join();
      await ben.room.join();
      await settle();
      const policies = network.made.map(({ configuration }) => configuration.iceTransportPolicy);
      expect(policies).toContain("relay");
    });

    it("blames no server where the browser creates no connection at all", async () => {
      vi.spyOn(network, "create").mockImplementation(() => {
        throw new DOMException("disabled", "NotSupportedError");
      });
      const options = () => ({ servers, relayOnly: false });
      const [ann, ben] = [open("Ann", { options }), open("Ben", { options })];
      await ann.room.join();
      await ben.room.join();
      await ann.untilPeer(ben.clientId, (peer) => peer?.error?.code === "webrtc-blocked");
      expect(ann.room.leftOutServers.getState()).toEqual([]);
    });
  });

  it("asks for relays only when the option is on and a relay is configured", async () => {
    const turn = { authMethod: "longterm", url: "turn:relay.test", username: "u", password: "p" } as const;
    const policies = async (turns: (typeof turn)[], relayOnly: boolean) => {
      const own = new FakeNetwork();
      const options = () => ({ servers: { stuns: [], turns }, relayOnly });
      const ann = open("Ann", { options, createPeerConnection: own.createPeerConnection });
      const ben = open("Ben", { options, createPeerConnection: own.createPeerConnection });
      await ann.room.join();
      await ben.room.join();
      await untilBothReady(ann, ben);
      ann.room.close();
      ben.room.close();
      return own.made.map(({ configuration }) => configuration.iceTransportPolicy);
    };
    expect(await policies([turn], true)).toEqual(["relay", "relay"]);
    expect(await policies([turn], false)).toEqual(["all", "all"]);
    expect(await policies([], true)).toEqual(["all", "all"]);
  });
});
