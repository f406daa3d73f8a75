import { expect, it } from "vitest";
import { settle } from "../testing/fake-clock.ts";
import { FakeNetwork } from "../testing/fake-network.ts";
import { SignallingPages } from "../testing/signalling-pages.ts";
import { createTestRoom } from "../testing/test-room.ts";

/** A person at the door of a signalling server that is too busy to take anybody: it answers 503 where a socket would open. */
async function atBusyServer() {
  const pages = new SignallingPages();
  pages.server.isUp = false;
  const { createPeerConnection } = new FakeNetwork();
  const { room } = createTestRoom({
    name: "Ann",
    signalling: pages.page(),
    createPeerConnection,
    clock: pages.clock,
  });
  const joining = room.join();
  joining.catch(() => {});
  while (pages.server.sockets.length === 0) await settle();
  return { pages, room, joining };
}

it("lets a person in whom a busy server turned away, as soon as it has room", async () => {
  const { pages, room, joining } = await atBusyServer();
  await pages.clock.advance(2_000);
  expect(room.store.getState().status).toBe("connecting");
  pages.server.isUp = true;
  await pages.clock.advance(5_000);
  await joining;
  expect(room.store.getState().status).toBe("connected");
});

it("shows after 10 s that a busy server does not accept the person, and stops asking", async () => {
  const { pages, room, joining } = await atBusyServer();
  await pages.clock.advance(10_000);
  await expect(joining).rejects.toMatchObject({ code: "signalling-unreachable" });
  expect(room.store.getState()).toMatchObject({
    status: "disconnected",
    error: { code: "signalling-unreachable" },
  });
  const asked = pages.server.sockets.length;
  await pages.clock.advance(60_000);
  expect(pages.server.sockets).toHaveLength(asked);
});

it("stops asking once a person has cancelled the join, and reports nothing more", async () => {
  const { pages, room, joining } = await atBusyServer();
  room.leave();
  await expect(joining).rejects.toMatchObject({ code: "connection-closed" });
  await pages.clock.advance(60_000);
  expect(pages.server.sockets).toHaveLength(1);
  expect(room.store.getState()).toEqual({ status: "disconnected", error: null });
});
