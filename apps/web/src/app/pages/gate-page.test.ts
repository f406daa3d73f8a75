import { describe, expect, it } from "vitest";
import type { Invite } from "../../room/join/invite.ts";
import { firstPage, type GatePage, nextPage } from "./gate-page.ts";

const invite: Invite = {
  roomId: "quay",
  password: null,
  passwordFromLink: false,
  newServers: { stuns: ["stun:new.example"], turns: [] },
  by: null,
};
const start: GatePage = { kind: "start" };
const room: GatePage = { kind: "room" };
const ask = (otherwise: "start" | "join" | "idle", asked: Invite | null = invite): GatePage => ({
  kind: "ask",
  invite: asked,
  otherwise,
});

it.each([
  [{ next: "start" }, start],
  [{ next: "join" }, room],
  [{ next: "idle" }, room],
  [{ next: "ask", invite, otherwise: "join" }, ask("join")],
] as const)("a page that opens with the plan %j", (plan, page) => {
  expect(firstPage(plan)).toEqual(page);
});

describe("an invite", () => {
  it.each([
    ["the start page", start, false, start],
    ["the app outside of a room", room, false, room],
    ["a room", room, true, room],
    ["another question at the start", ask("start"), false, start],
  ])("that comes on %s leads back there when it is declined", (_where, before, wasInRoom, after) => {
    const asked = nextPage(before, { type: "invited", invite, wasInRoom });
    expect(asked).toMatchObject({ kind: "ask", invite });
    expect(nextPage(asked, { type: "declined" })).toEqual(after);
  });

  it("joins again when it is declined by who was in a room", () => {
    expect(nextPage(room, { type: "invited", invite, wasInRoom: true })).toEqual(ask("join"));
  });

  it("leaves its page open once it is answered, until the room is joined", () => {
    const answered = nextPage(ask("start"), { type: "answered" });
    expect(answered).toEqual(ask("start", null));
    expect(nextPage(answered, { type: "join-failed" })).toBe(answered);
    expect(nextPage(answered, { type: "joined" })).toEqual(room);
  });
});

it("a join that fails is explained instead of the start page, and nowhere else", () => {
  expect(nextPage(start, { type: "join-failed" })).toEqual(ask("start", null));
  expect(nextPage(room, { type: "join-failed" })).toBe(room);
  expect(nextPage(room, { type: "answered" })).toBe(room);
});
