// @vitest-environment happy-dom
import { beforeEach, describe, expect, it } from "vitest";
import { sessionKeyValueStorage } from "../../platform/storage/web-storage.ts";
import { clientIdOf } from "../../testing/fake-records.ts";
import { fakeWarren } from "../../testing/fake-warren.ts";
import { answerLink, joinsAtOnce, readStartupPlan, storeStartup } from "./startup-storage.ts";

const storage = sessionKeyValueStorage();

function open(address: string) {
  const fake = fakeWarren();
  const { warren } = fake;
  const [storages, url] = [{ storage, tabStorage: storage }, `https://warren.example${address}`];
  const plan = readStartupPlan(storages, url, warren.profile.get(), warren.settings.get().servers);
  storeStartup(warren, storages, url, plan);
  return { plan, fake };
}

beforeEach(() => sessionStorage.clear());

describe("opening the page", () => {
  it("is a first visit until a room is joined", () => {
    expect(open("/").plan.next).toBe("start");
    const { plan, fake } = open("/");
    expect(plan.next).toBe("start");
    fake.setRoom({ status: "connecting", roomId: "harbour", isWaiting: false });
    expect(open("/").plan.next).toBe("idle");
    expect(storage.read("app_initialized")).toBe("true");
  });

  it("stores nothing of a link before confirmation, neither the room nor its creator", () => {
    storage.write("room_joined", "true");
    const { plan, fake } = open(`/?id=evil&join=true#pwd=tidal&by=${clientIdOf(1)}`);
    expect(plan).toMatchObject({ next: "ask", invite: { roomId: "evil", password: "tidal" } });
    expect(fake.argsOf("updateProfile")).toEqual([]);
    expect(fake.argsOf("pinInviter")).toEqual([]);
  });

  it("trusts nobody because of a link that rejoins the stored room", () => {
    storage.write("room_joined", "true");
    const { plan, fake } = open(`/?id=harbour&join=true#by=${clientIdOf(1)}`);
    expect(plan.next).toBe("join");
    expect(fake.argsOf("pinInviter")).toEqual([]);
  });

  it("asks about the link again after a reload, until it is answered or another one is opened", () => {
    storage.write("room_joined", "true");
    open("/?id=quay#pwd=tidal");
    expect(open("/").plan).toMatchObject({ next: "ask", invite: { roomId: "quay", password: "tidal" } });
    open("/?id=attic");
    expect(open("/").plan).toMatchObject({ next: "ask", invite: { roomId: "attic", password: null } });
    answerLink(storage);
    expect(open("/").plan.next).toBe("idle");
  });

  it("opens a socket early only if it will join", () => {
    const page = { storage, tabStorage: storage };
    const joins = (address: string) =>
      joinsAtOnce(page, `https://warren.example${address}`, { stuns: [], turns: [] });
    storage.write("profile", JSON.stringify({ roomId: "harbour", password: "tidal" }));
    expect(joins("/?id=harbour&join=true")).toBe(false);
    storage.write("room_joined", "true");
    expect(joins("/?id=harbour&join=true")).toBe(true);
    expect(joins("/?id=harbour&join=true#pwd=other")).toBe(false);
    expect(joins("/?id=evil&join=true")).toBe(false);
    expect(joins("/")).toBe(false);
    storage.write("room_of_tab", "harbour");
    expect(joins("/")).toBe(true);
    expect(joins(`/?id=harbour&join=true#stun=${encodeURIComponent('["stun:evil.example"]')}`)).toBe(false);
  });

  it("ignores a stored link that is not an address", () => {
    storage.write("open_link", "not an address");
    expect(open("/").plan.next).toBe("start");
  });
});
