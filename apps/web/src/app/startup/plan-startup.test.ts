import { type Profile, readJoinLink } from "@warren/core";
import { describe, expect, it } from "vitest";
import { clientIdOf } from "../../testing/fake-records.ts";
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
    known: true,
    roomOfTab: null,
    ...situation,
  });
}

function inviteOf(...args: Parameters<typeof plan>) {
  const planned = plan(...args);
  if (planned.next !== "ask") throw new Error(`it is not asked about: ${planned.next}`);
  return planned.invite;
}

const stun = (...urls: string[]) => `stun=${encodeURIComponent(JSON.stringify(urls))}`;

describe("the startup plan", () => {
  it.each([
    ["a first visit shows the start page", "/", { known: false }, "start"],
    ["a first visit by a link asks", "/?id=quay&join=true", { known: false }, "ask"],
    [
      "a first visit by a link to the room it was given asks",
      "/?id=harbour&join=true",
      { known: false },
      "ask",
    ],
    ["a first visit does not join by itself", "/", { known: false, profile: { autoJoin: true } }, "start"],
    ["a link to another room asks", "/?id=quay&join=true", {}, "ask"],
    ["a link to another room asks in spite of autoJoin", "/?id=quay", { profile: { autoJoin: true } }, "ask"],
    ["a link with another password asks", "/?id=harbour&join=true#pwd=new", {}, "ask"],
    ["a link to the stored room joins it", "/?id=harbour&join=true", {}, "join"],
    ["a link to the stored room with its password joins it", "/?id=harbour&join=true#pwd=tidal", {}, "join"],
    [
      "a link with servers of its own to the stored room asks",
      `/?id=harbour&join=true#${stun("stun:x.example")}`,
      {},
      "ask",
    ],
    ["servers alone are asked about too", `/#${stun("stun:x.example")}`, {}, "ask"],
    ["servers in use already are not", `/?id=harbour&join=true#${stun("stun:own.example")}`, {}, "join"],
    ["a link without join to the stored room changes nothing", "/?id=harbour", {}, "idle"],
    ["autoJoin joins", "/", { profile: { autoJoin: true } }, "join"],
    ["a stored room nobody confirmed asks", "/", { profile: { initialJoin: true, autoJoin: true } }, "ask"],
    ["a tab that was in the room goes back to it", "/", { roomOfTab: "harbour" }, "join"],
    ["a tab that was in another room does not", "/", { roomOfTab: "quay" }, "idle"],
    ["otherwise nothing happens", "/", {}, "idle"],
  ] as const)("%s", (_sentence, address, situation, next) => {
    expect(plan(address, situation).next).toBe(next);
  });

  it("asks about the room and password of the link", () => {
    expect(inviteOf("/?id=quay#pwd=new")).toMatchObject({
      roomId: "quay",
      password: "new",
      passwordFromLink: true,
    });
    expect(inviteOf("/#pwd=new")).toMatchObject({ roomId: "harbour", password: "new" });
  });

  it("never uses the stored password for another room", () => {
    expect(inviteOf("/?id=quay&join=true")).toMatchObject({ password: null, passwordFromLink: false });
  });

  it("names the link's creator, unless that is ourselves", () => {
    expect(inviteOf(`/?id=quay#by=${clientIdOf(1)}`).by).toBe(clientIdOf(1));
    expect(inviteOf(`/?id=quay#by=${stored.clientId}`).by).toBeNull();
    expect(inviteOf("/?id=quay#by=everyone").by).toBeNull();
  });

  it("offers only servers that this browser does not use already", () => {
    expect(inviteOf(`/?id=quay#${stun("stun:own.example")}`).newServers).toBeNull();
    expect(inviteOf(`/?id=quay#${stun("stun:own.example", "stun:new.example")}`).newServers).toEqual({
      stuns: ["stun:new.example"],
      turns: [],
    });
  });
});
