import { describe, expect, it } from "vitest";
import { readJoinLink } from "../../components/join-link.ts";
import { sessionKeyValueStorage } from "../../platform/session-key-value-storage.ts";
import { clientIdOf, me } from "../../testing/fake-records.ts";
import { fakeWarren } from "../../testing/fake-warren.ts";
import { noteGreeting, openPage } from "./open-page.ts";

const origin = "https://warren.example";

function open(storage: ReturnType<typeof sessionKeyValueStorage>, address: string, referrer = "") {
  const fake = fakeWarren();
  const link = readJoinLink(origin + address);
  const plan = openPage(fake.warren, { storage, tabStorage: storage }, { link, referrer, origin });
  return { plan, fake, updates: fake.argsOf("updateProfile"), pinned: fake.argsOf("pinInviter") };
}

describe("opening the page", () => {
  it("is a first visit until somebody joins", () => {
    sessionStorage.clear();
    const storage = sessionKeyValueStorage();
    expect(open(storage, "/").plan).toMatchObject({ next: "ask", choosesRoom: true });
    const { plan, fake } = open(storage, "/");
    expect(plan).toMatchObject({ next: "ask", choosesRoom: true });
    fake.setRoom({ status: "connecting", roomId: "harbour", isWaiting: false });
    expect(open(storage, "/").plan.next).toBe("rest");
  });

  it("has its first run once, and a flag that says anything else than yes is none", () => {
    sessionStorage.clear();
    const storage = sessionKeyValueStorage();
    for (const flag of [null, "", "false", "1", "{}", '"true"']) {
      if (flag !== null) storage.write("app_initialized", flag);
      expect(open(storage, "/").plan.isFirstRun).toBe(true);
    }
    noteGreeting(storage);
    expect(storage.read("app_initialized")).toBe("true");
    expect(open(storage, "/").plan).toMatchObject({ isFirstRun: false, choosesRoom: true });
  });

  it("takes the arrival page of a link for the first run", () => {
    sessionStorage.clear();
    const storage = sessionKeyValueStorage();
    expect(open(storage, "/?id=quay").plan.isFirstRun).toBe(false);
    expect(storage.read("app_initialized")).toBe("true");
    expect(open(storage, "/").plan.isFirstRun).toBe(false);
  });

  it("stores the room and password of a link, to be confirmed", () => {
    const { updates } = open(sessionKeyValueStorage(), "/?id=quay#pwd=tidal");
    expect(updates).toEqual([[{ roomId: "quay", password: "tidal", initialJoin: true }]]);
  });

  it("remembers who made the link, unless that is ourselves", () => {
    const storage = sessionKeyValueStorage();
    expect(open(storage, `/?id=quay#by=${clientIdOf(1)}`).pinned).toEqual([[clientIdOf(1)]]);
    expect(open(storage, `/?id=quay#by=${me}`).pinned).toEqual([]);
    expect(open(storage, "/?id=quay#by=everyone").pinned).toEqual([]);
    expect(open(storage, "/?id=quay").pinned).toEqual([]);
  });

  it.each([
    ["", "join"],
    [`${origin}/`, "join"],
    [`${origin}.evil.example/`, "ask"],
    ["https://elsewhere.example/", "ask"],
  ])("led here by %j, %ss on a link that joins", (referrer, next) => {
    const storage = sessionKeyValueStorage();
    storage.write("room_joined", "true");
    expect(open(storage, "/?id=quay&join=true", referrer).plan.next).toBe(next);
  });
});
