import type { Profile } from "@warren/core";
import { describe, expect, it } from "vitest";
import { readJoinLink } from "../../components/join-link.ts";
import { planStartup, type StartupSituation } from "./plan-startup.ts";

const stored: Profile = {
  roomId: "harbour",
  name: "Okafor",
  clientId: "7d1f2c90-0000-4000-8000-00000000c84a",
  password: "tidal",
  avatar: null,
  autoJoin: false,
  initialJoin: false,
  createdAt: 0,
};

function plan(
  address: string,
  { profile, ...situation }: Partial<Omit<StartupSituation, "profile">> & { profile?: Partial<Profile> } = {},
) {
  return planStartup({
    link: readJoinLink(`https://warren.example${address}`),
    profile: { ...stored, ...profile },
    ownServers: { stuns: ["stun:own.example"], turns: [] },
    greeted: true,
    known: true,
    roomOfTab: null,
    foreignReferrer: false,
    ...situation,
  });
}

describe("what the page does when it opens", () => {
  it.each([
    ["a first visit shows the arrival page", "/", { known: false }, "ask"],
    ["a first visit by a link that joins shows it too", "/?id=quay&join=true", { known: false }, "ask"],
    ["a first visit does not join by itself", "/", { known: false, profile: { autoJoin: true } }, "ask"],
    ["a known person joins at once by a link", "/?id=quay&join=true", {}, "join"],
    ["a known person joins the stored room at once by a link", "/?id=harbour&join=true", {}, "join"],
    ["a link from another site asks first", "/?id=quay&join=true", { foreignReferrer: true }, "ask"],
    ["a link without join asks first when it changes the room", "/?id=quay", {}, "ask"],
    ["a link without join to the stored room changes nothing", "/?id=harbour", {}, "rest"],
    ["autoJoin joins", "/", { profile: { autoJoin: true } }, "join"],
    [
      "autoJoin does not join a room that a link has just named",
      "/?id=quay",
      { profile: { autoJoin: true } },
      "ask",
    ],
    [
      "a room nobody confirmed yet asks again",
      "/",
      { profile: { initialJoin: true, autoJoin: true } },
      "ask",
    ],
    ["a tab that was in the room goes back to it", "/", { roomOfTab: "harbour" }, "join"],
    ["a tab that was in another room does not", "/", { roomOfTab: "quay" }, "rest"],
    ["otherwise nothing happens", "/", {}, "rest"],
  ] as const)("%s", (_sentence, address, situation, next) => {
    expect(plan(address, situation).next).toBe(next);
  });

  it("stores a room or password that differs and asks for confirmation of the next join", () => {
    expect(plan("/?id=quay#pwd=new").profileChange).toEqual({
      roomId: "quay",
      password: "new",
      initialJoin: true,
    });
    expect(plan("/#pwd=new").profileChange).toEqual({
      roomId: "harbour",
      password: "new",
      initialJoin: true,
    });
  });

  it("stores nothing when the link says what is stored", () => {
    expect(plan("/?id=harbour#pwd=tidal").profileChange).toBeNull();
    expect(plan("/").profileChange).toBeNull();
  });

  it("keeps the password for a link to the same room without one, and drops it for another room", () => {
    expect(plan("/?id=harbour&join=true").profileChange).toBeNull();
    expect(plan("/?id=quay&join=true").profileChange).toEqual({
      roomId: "quay",
      password: null,
      initialJoin: true,
    });
  });

  it("says whether the password came with the link", () => {
    expect(plan("/?id=harbour#pwd=tidal").passwordFromLink).toBe(true);
    expect(plan("/?id=harbour").passwordFromLink).toBe(false);
  });

  it("lets a person choose the room on a first visit without a link", () => {
    expect(plan("/", { known: false }).choosesRoom).toBe(true);
    expect(plan("/?id=quay", { known: false }).choosesRoom).toBe(false);
    expect(plan("/").choosesRoom).toBe(false);
  });

  it("keeps the room of a link that nobody confirmed, when its page is reloaded", () => {
    const again = plan("/", { known: false, profile: { initialJoin: true } });
    expect(again).toMatchObject({ next: "ask", choosesRoom: false });
  });

  it("offers only servers this browser does not use already", () => {
    const stun = (...urls: string[]) => `/?id=quay#stun=${encodeURIComponent(JSON.stringify(urls))}`;
    expect(plan(stun("stun:own.example")).newServers).toBeNull();
    expect(plan(stun("stun:own.example", "stun:new.example")).newServers).toEqual({
      stuns: ["stun:new.example"],
      turns: [],
    });
  });
});
