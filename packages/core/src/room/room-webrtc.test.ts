import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { systemClock } from "../shared/system-clock.ts";
import { MemorySignalling } from "../testing/memory-signalling.ts";
import { NodePeerConnections } from "../testing/node-peer-connections.ts";
import { SessionPair } from "../testing/session-pair.ts";
import { createTestRoom, type TestRoom, untilBothReady } from "../testing/test-room.ts";

describe("rooms over real WebRTC", () => {
  let signalling: MemorySignalling;
  let connections: NodePeerConnections;
  let rooms: TestRoom[];
  const open = (name: string, clientId?: string) => {
    const { createPeerConnection } = connections;
    const room = createTestRoom({
      signalling,
      createPeerConnection,
      name,
      clock: systemClock,
      ...(clientId && { clientId }),
    });
    rooms.push(room);
    return room;
  };

  beforeEach(() => {
    signalling = new MemorySignalling();
    connections = new NodePeerConnections();
    rooms = [];
  });
  afterEach(() => {
    for (const { room } of rooms) room.close();
    connections.closeAll();
  });

  it("connects two clients, which then know each other's names", async () => {
    const [ann, ben] = [open("Ann"), open("Ben")];
    await ann.room.join();
    await ben.room.join();
    await untilBothReady(ann, ben);

    expect(ann.peer(ben.clientId)).toMatchObject({
      session: "connected",
      profile: { name: "Ben" },
      error: null,
    });
    expect(ben.peer(ann.clientId)).toMatchObject({
      session: "connected",
      profile: { name: "Ann" },
      error: null,
    });
  });

  it("carries messages both ways and reports the route", async () => {
    const [ann, ben] = [open("Ann"), open("Ben")];
    await ann.room.join();
    await ben.room.join();
    await untilBothReady(ann, ben);

    const sent = ann.room.send(ben.clientId, { type: "send-text", data: "hello" });
    const received = await new Promise((resolve) =>
      ben.room.on("message", (_from, message) => resolve(message)),
    );
    expect(received).toEqual(sent);
    await ann.untilPeer(ben.clientId, (peer) => peer?.route?.kind === "direct-local");
  });

  it("hands over a file channel before its first message", async () => {
    const [ann, ben] = [open("Ann"), open("Ben")];
    await ann.room.join();
    await ben.room.join();
    await untilBothReady(ann, ben);

    const received = new Promise((resolve) => {
      ben.room.on("transfer-channel", (from, channel) => {
        channel.addEventListener("message", (event) => resolve([from, channel.label, event.data]));
      });
    });
    const channel = ann.room.openTransferChannel(ben.clientId, "file-one-0", { ordered: false });
    channel.addEventListener("open", () => channel.send("first"));
    expect(await received).toEqual([ann.clientId, "file-one-0", "first"]);
  });

  it("opens a new session when one side returns after a reload", async () => {
    const ann = open("Ann");
    const ben = open("Ben");
    await ann.room.join();
    await ben.room.join();
    await untilBothReady(ann, ben);

    const reloaded = open("Ben again", ben.clientId);
    await reloaded.room.join();
    await ann.untilPeer(ben.clientId, (peer) => peer?.profile?.name === "Ben again" && peer.ready);
    await untilBothReady(ann, reloaded);
    expect(ann.peer(ben.clientId)?.session).toBe("connected");
  });

  it("ends up with one connection when both sides start at once", async () => {
    const pair = new SessionPair();
    pair.createPeerConnection = connections.createPeerConnection;
    pair.sessionClock = systemClock; // repeats an attempt that a busy machine lost
    const [ann, ben] = await pair.open();
    ann.session.connect();
    ben.session.connect();
    await vi.waitFor(() => expect([ann.session.state.ready, ben.session.state.ready]).toEqual([true, true]), {
      timeout: 20_000,
    });
    expect(connections.made.filter(({ connectionState }) => connectionState === "connected")).toHaveLength(2);
    ann.session.close();
    ben.session.close();
  });

  it("reconnects after one side's connection is killed", async () => {
    const [ann, ben] = [open("Ann"), open("Ben")];
    await ann.room.join();
    await ben.room.join();
    await untilBothReady(ann, ben);
    const lost = Promise.all([
      ann.untilPeer(ben.clientId, (peer) => peer?.session === "reconnecting"),
      ben.untilPeer(ann.clientId, (peer) => peer?.session === "reconnecting"),
    ]);
    // Not simply the first connection: a busy machine may have lost an attempt.
    connections.made.find(({ connectionState }) => connectionState === "connected")?.close();
    await lost;
    await untilBothReady(ann, ben);
  });

  it("ends the session on the other side when one side leaves", async () => {
    const [ann, ben] = [open("Ann"), open("Ben")];
    await ann.room.join();
    await ben.room.join();
    await untilBothReady(ann, ben);

    ben.room.leave();
    await ann.untilPeer(ben.clientId, (peer) => peer === undefined);
    expect(ben.room.store.getState()).toEqual({ status: "disconnected", error: null });
  });
});
