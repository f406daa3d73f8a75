import { cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { afterEach, describe, expect, test, vi } from "vitest";
import { createStore } from "zustand/vanilla";
import type { OtherTab } from "../platform/network/room-lock.ts";
import { clientIdOf, fakeContact, fakePeer, roomWith } from "../testing/fake-records.ts";
import { type FakeWarren, fakeWarren } from "../testing/fake-warren.ts";
import { fakePlatform, renderWithWarren } from "../testing/render-with-warren.tsx";
import { NearbySection } from "./nearby-section.tsx";

afterEach(cleanup);

const ann = clientIdOf(1);
const outside = { status: "disconnected", error: null } as const;

function nearby(...names: string[]): FakeWarren {
  const fake = fakeWarren();
  const peers = names.map((name, index) => fakePeer(index + 1, name));
  fake.setRoom({ ...roomWith(peers), status: "nearby" } as Parameters<typeof fake.setRoom>[0]);
  fake.setChat({
    contacts: Object.fromEntries(
      names.map((name, index) => [
        clientIdOf(index + 1),
        fakeContact(index + 1, name, { nearby: true, accepted: false }),
      ]),
    ),
  });
  fake.setOptions({ nearby: true });
  fake.setNearby("on");
  return fake;
}

describe("the switch", () => {
  test("turns it on and off with one press each", () => {
    const fake = fakeWarren();
    fake.setRoom(outside);
    renderWithWarren(<NearbySection />, fake);
    const toggle = screen.getByRole("switch", { name: "Nearby" });
    expect(toggle).toHaveProperty("checked", false);
    fireEvent.click(toggle);
    expect(fake.warren.settings.get().nearby).toBe(true);
    expect(toggle).toHaveProperty("checked", true);
    fireEvent.click(toggle);
    expect(fake.warren.settings.get().nearby).toBe(false);
  });

  test.each([
    ["full", "Many people share this network's address. Send a link instead.", true],
    ["unavailable", "This server cannot tell who is on your network. Send a link instead.", true],
    ["unreachable", "Warren's server does not answer. Trying again.", false],
    ["joining", "Looking around.", false],
  ] as const)("says where it stands: %s", (status, words, offersLink) => {
    const fake = fakeWarren();
    fake.setRoom(outside);
    fake.setOptions({ nearby: true });
    fake.setNearby(status);
    renderWithWarren(<NearbySection />, fake);
    expect(screen.getByText(words)).toBeDefined();
    expect(screen.queryByRole("button", { name: "New room and link" }) !== null).toBe(offersLink);
  });

  test("takes over from another tab by a press, and by itself once that has gone", () => {
    const fake = fakeWarren();
    fake.setRoom(outside);
    fake.setOptions({ nearby: true });
    fake.setNearby("elsewhere");
    const other = createStore<OtherTab>(() => ({ status: "nearby" }));
    const takeOver = vi.fn();
    const platform = { ...fakePlatform(), roomLock: { other, takeOver, watch: () => () => {} } };
    renderWithWarren(<NearbySection />, fake, { platform });
    fireEvent.click(screen.getByRole("button", { name: "Use here" }));
    expect(takeOver).toHaveBeenCalledTimes(1);
    expect(fake.argsOf("retryNearby")).toHaveLength(1);
    other.setState({ status: "gone" }, true);
    return waitFor(() => expect(fake.argsOf("retryNearby")).toHaveLength(2));
  });
});

describe("a row", () => {
  test("leads to the conversation, and says that nobody has verified them", () => {
    renderWithWarren(<NearbySection />, nearby("Ann"));
    expect(screen.getByRole("link", { name: /Ann/ }).getAttribute("href")).toBe(`/client/${ann}/chat`);
    expect(screen.getByRole("button", { name: "Not verified" })).toBeDefined();
  });

  test("offers picked files with one press, and dropped ones with none", async () => {
    const fake = nearby("Ann");
    const file = new File(["tide"], "tide.txt");
    renderWithWarren(<NearbySection />, fake, {
      platform: { ...fakePlatform(), pickFiles: async () => [file] },
    });
    fireEvent.click(screen.getByRole("button", { name: "Send files to Ann" }));
    await waitFor(() => expect(fake.argsOf("sendFile")).toEqual([[ann, file]]));
    const dropped = new File(["ebb"], "ebb.txt");
    const items = [{ kind: "file", getAsFile: () => dropped }];
    fireEvent.drop(screen.getByRole("listitem"), { dataTransfer: { types: ["Files"], items } });
    await waitFor(() =>
      expect(fake.argsOf("sendFile")).toEqual([
        [ann, file],
        [ann, dropped],
      ]),
    );
  });

  test("names a stranger that has a contact's name apart from the contact", () => {
    const fake = nearby("Ann", "Ann");
    fake.setChat({
      contacts: {
        [ann]: fakeContact(1, "Ann", { trustLevel: "verified" }),
        [clientIdOf(2)]: fakeContact(2, "Ann", { nearby: true, accepted: false, createdAt: 1 }),
      },
    });
    renderWithWarren(<NearbySection />, fake);
    const names = screen.getAllByRole("link").map(({ textContent }) => textContent);
    expect(names[0]).toMatch(/^A?Ann(?!\u00A0·)/);
    expect(names[1]).toMatch(/Ann\u00A0·\u00A0[0-9a-f]{4}/);
    expect(screen.getAllByRole("button", { name: "Verified" })).toHaveLength(1);
  });
});

test("each row says which way the connection takes, or lets ask why there is none", async () => {
  const fake = nearby("Ann", "Ben");
  const error = { code: "connection-failed", values: {} } as const;
  const peers = [
    fakePeer(1, "Ann", { route: { kind: "direct-local", relayHost: null } }),
    fakePeer(2, "Ben", { session: "disconnected", ready: false, error }),
  ];
  fake.setRoom({ ...roomWith(peers), status: "nearby" } as Parameters<typeof fake.setRoom>[0]);
  renderWithWarren(<NearbySection />, fake);
  const [ann, ben] = screen.getAllByRole("listitem");
  if (!ann || !ben) throw new Error("no rows");
  expect(within(ann).getByText("Online, directly on your network")).toBeDefined();
  expect(within(ann).queryByRole("button", { name: "Try again" })).toBeNull();
  expect(within(ben).getByText("Not connected")).toBeDefined();
  expect(within(ben).getByRole("button", { name: "Find out why" })).toBeDefined();
  fireEvent.click(within(ben).getByRole("button", { name: "Try again" }));
  await waitFor(() => expect(fake.argsOf("retryConnection")).toEqual([[clientIdOf(2)]]));
});

test("says before it is turned on what the browser asks for", async () => {
  vi.stubGlobal("navigator", {
    permissions: { query: async () => Object.assign(new EventTarget(), { state: "prompt" }) },
  });
  vi.stubGlobal("location", { hostname: "warren.example.org" });
  const fake = fakeWarren();
  fake.setRoom(outside);
  renderWithWarren(<NearbySection />, fake);
  expect(await screen.findByText(/^Your browser may ask/)).toBeDefined();
  vi.unstubAllGlobals();
});
