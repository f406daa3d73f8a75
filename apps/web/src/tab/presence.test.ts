import type { ChatState, RoomState } from "@warren/core";
import { beforeEach, describe, expect, it } from "vitest";
import { createStore } from "zustand/vanilla";
import { clientIdOf, fakePeer, roomWith } from "../testing/fake-records.ts";
import { Presence, presenceBetween } from "./presence.ts";

const [mara, jun, kim] = [clientIdOf(1), clientIdOf(2), clientIdOf(3)];

describe("who came and went", () => {
  let room = createStore<RoomState>(() => ({ status: "disconnected", error: null }));
  const chat = createStore<Pick<ChatState, "room">>(() => ({ room: "harbour" }));
  let at = 0;
  let presence: Presence;
  beforeEach(() => {
    room = createStore<RoomState>(() => ({ status: "disconnected", error: null }));
    at = 0;
    presence = new Presence(room, chat, () => ++at);
  });
  const set = (...peers: Parameters<typeof roomWith>[0][number][]) => room.setState(roomWith(peers), true);
  const events = () => presence.store.getState().map(({ clientId, hasJoined }) => [clientId, hasJoined]);

  it("leaves out those who were there before us, until they leave", async () => {
    set();
    set(fakePeer(1, "Mara", { ready: false }));
    await Promise.resolve();
    set(fakePeer(1, "Mara"));
    expect(events()).toEqual([]);
    set(fakePeer(1, "Mara"), fakePeer(2, "Jun", { ready: false, profile: null }));
    expect(events()).toEqual([]);
    set(fakePeer(1, "Mara"), fakePeer(2, "Jun"));
    set(fakePeer(2, "Jun"));
    await Promise.resolve();
    expect(events()).toEqual([
      [jun, true],
      [mara, false],
    ]);
  });

  it("does not count a broken connection, nor one that was never met", async () => {
    set();
    await Promise.resolve();
    set(fakePeer(1, "Mara"), fakePeer(3, "Kim", { ready: false }));
    set(fakePeer(1, "Mara", { session: "reconnecting", ready: false }));
    set(fakePeer(1, "Mara"));
    expect(events()).toEqual([[mara, true]]);
  });

  it("begins anew in another room", async () => {
    set();
    await Promise.resolve();
    set(fakePeer(1, "Mara"));
    room.setState({ status: "disconnected", error: null }, true);
    expect(events()).toEqual([[mara, true]]);
    room.setState({ ...roomWith([]), joinedAt: 7 } as RoomState, true);
    expect(events()).toEqual([]);
  });

  it("does not say that the others left when we leave", async () => {
    set();
    await Promise.resolve();
    set(fakePeer(1, "Mara"));
    set();
    room.setState({ status: "disconnected", error: null }, true);
    await Promise.resolve();
    expect(events()).toEqual([[mara, true]]);
  });

  it("tells nothing of a room in the conversation of another one, which is not joined", async () => {
    set();
    await Promise.resolve();
    set(fakePeer(1, "Mara"));
    room.setState({ status: "disconnected", error: null }, true);
    chat.setState({ room: "quay" });
    expect(events()).toEqual([]);
  });
});

describe("a line between two messages", () => {
  const event = (clientId: string, hasJoined: boolean, at: number) => ({ clientId, hasJoined, at });

  it("gathers all of its time", () => {
    const events = [event(mara, true, 1), event(jun, true, 2), event(kim, false, 3), event(kim, true, 9)];
    expect(presenceBetween(events, 0, 5)).toEqual({ joined: [mara, jun], left: [kim] });
    expect(presenceBetween(events, 5, Number.POSITIVE_INFINITY)).toEqual({ joined: [kim], left: [] });
    expect(presenceBetween(events, 3, 8)).toBeNull();
  });

  it("is silent about who left and came back, and says that who came is gone again", () => {
    const events = [event(mara, false, 1), event(mara, true, 2), event(jun, true, 3), event(jun, false, 4)];
    expect(presenceBetween(events, 0, 5)).toEqual({ joined: [], left: [jun] });
  });
});
