// @vitest-environment happy-dom
import type { RoomState } from "@warren/core";
import { describe, expect, it } from "vitest";
import { sessionKeyValueStorage } from "../../platform/storage/web-storage.ts";
import { fakeWarren } from "../../testing/fake-warren.ts";
import { followRoomOfTab, readRoomOfTab } from "./room-of-tab.ts";

const roomId = "harbour";
const connecting: RoomState = { status: "connecting", roomId, isWaiting: false };
const connected: RoomState = { status: "connected", roomId, joinedAt: 0, signalling: "online", peers: {} };
const left: RoomState = { status: "disconnected", error: null };
const failed: RoomState = {
  status: "disconnected",
  error: { code: "signalling-unreachable", values: {} },
};

function roomAfter(...states: readonly RoomState[]): string | null {
  sessionStorage.clear();
  const storage = sessionKeyValueStorage();
  const fake = fakeWarren();
  fake.setRoom({ status: "disconnected", error: null });
  followRoomOfTab(fake.warren, storage);
  for (const state of states) fake.setRoom(state);
  return readRoomOfTab(storage);
}

describe("the room of a tab", () => {
  it.each([
    ["is the one it is in", [connecting, connected], roomId],
    ["is none while it only tries to be in one", [connecting], null],
    ["is none after it has left", [connecting, connected, left], null],
    ["is none after the room was lost", [connecting, connected, failed], null],
    ["is none after the way back was called off", [connecting, connected, left, connecting, left], null],
  ] as const)("%s", (_, states, expected) => {
    expect(roomAfter(...states)).toBe(expected);
  });

  it("is kept if rejoining fails, as for a page that is reloaded again", () => {
    const storage = sessionKeyValueStorage();
    for (const states of [
      [connecting, connected],
      [connecting, failed],
    ]) {
      const fake = fakeWarren();
      followRoomOfTab(fake.warren, storage);
      for (const state of states) fake.setRoom(state);
    }
    expect(readRoomOfTab(storage)).toBe(roomId);
  });
});
