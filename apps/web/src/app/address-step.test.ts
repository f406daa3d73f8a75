import type { RoomState } from "@warren/core";
import { WarrenError } from "@warren/protocol";
import { expect, it } from "vitest";
import { roomWith } from "../testing/fake-records.ts";
import { type AddressSituation, addressStep } from "./address-step.ts";

const outside: RoomState = { status: "disconnected", error: null };
const failed: RoomState = {
  status: "disconnected",
  error: new WarrenError("signalling-unreachable").describe(),
};
const joining = (roomId: string): RoomState => ({ status: "connecting", roomId, isWaiting: false });
const inside = (roomId: string): RoomState => ({ ...roomWith([]), roomId }) as RoomState;

type Fact = readonly [room: RoomState, named: string | null];

it.each<[string, Fact, AddressSituation["page"], Fact, ReturnType<typeof addressStep>]>([
  ["names the room that is joined", [outside, null], "home", [joining("quay"), null], "replace"],
  ["agrees", [outside, null], "home", [joining("quay"), "quay"], "stay"],
  ["agrees outside", [inside("quay"), null], "home", [outside, null], "stay"],
  ["adds another room", [inside("quay"), "quay"], "home", [joining("attic"), "quay"], "push"],
  ["went back to a room", [inside("attic"), "attic"], "home", [inside("attic"), "quay"], "enter"],
  ["went back to a room, from outside", [outside, null], "home", [outside, "quay"], "enter"],
  ["has left", [inside("quay"), "quay"], "home", [outside, "quay"], "replace"],
  ["could not join", [joining("quay"), "quay"], "home", [failed, "quay"], "stay"],
  ["lost its room", [inside("quay"), "quay"], "home", [failed, "quay"], "replace"],
  ["is going to the room already", [inside("attic"), "quay"], "home", [inside("attic"), "quay"], "stay"],
  ["says something to everyone", [inside("quay"), "quay"], "everyone", [inside("quay"), null], "record"],
  [
    "says something in the next room",
    [inside("quay"), "quay"],
    "everyone",
    [inside("attic"), "quay"],
    "record",
  ],
  ["went back to what it said", [inside("attic"), "attic"], "everyone", [inside("attic"), "quay"], "enter"],
  ["reads on after leaving", [inside("quay"), "quay"], "everyone", [outside, "quay"], "stay"],
  ["is elsewhere", [inside("quay"), "quay"], "other", [inside("attic"), null], "stay"],
  ["is elsewhere, and leaves", [inside("quay"), "quay"], "other", [outside, null], "stay"],
])("a page that %s", (_what, [wasIn, named], page, [room, namedNow], step) => {
  expect(addressStep({ room: wasIn, named }, { page, room, named: namedNow })).toBe(step);
});
