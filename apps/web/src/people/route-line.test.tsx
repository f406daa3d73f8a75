import { act, cleanup, screen } from "@testing-library/react";
import type { Peer } from "@warren/core";
import { afterEach, expect, test, vi } from "vitest";
import { fakePeer, roomWith } from "../testing/fake-records.ts";
import { fakeWarren } from "../testing/fake-warren.ts";
import { renderWithWarren } from "../testing/render-with-warren.tsx";
import { BriefRouteLine, RouteLine } from "./route-line.tsx";
import { usePerson } from "./use-person.ts";

const mara = fakePeer(1, "Mara").clientId;
const direct = { kind: "direct-local", relayHost: null } as const;

function Line() {
  return <RouteLine person={usePerson(mara)} />;
}

function show(change: Partial<Peer>, line = <Line />) {
  const fake = fakeWarren();
  fake.setRoom(roomWith([fakePeer(1, "Mara", change)]));
  renderWithWarren(line, fake);
  return { fake, text: () => document.querySelector("span.text-meta")?.textContent };
}

afterEach(cleanup);
afterEach(() => vi.useRealTimers());

test.each([
  [direct, "Online, directly on your network"],
  [{ kind: "direct-internet", relayHost: null }, "Online, directly over the internet"],
  [{ kind: "relayed", relayHost: "turn.example.org" }, "Online, over a relay"],
  [null, "Online"],
] as const)("a peer by %j: %s", (route, line) => {
  expect(show({ route }).text()).toBe(line);
});

test.each([
  [direct, null],
  [{ kind: "relayed", relayHost: "turn.example.org" }, "Over a relay"],
] as const)("beside other words, a peer by %j: %s", (route, line) => {
  const Brief = () => <BriefRouteLine person={usePerson(mara)} />;
  show({ route }, <Brief />);
  const seen = document.querySelector("span:not(.sr-only)");
  expect(seen?.querySelector("[aria-hidden=true]")?.textContent ?? null).toBe(line);
  expect(screen.getByText(/^Online, /).className).toContain("sr-only");
});

test.each<[Partial<Peer>, string]>([
  [{ session: "connecting", ready: false }, "Connecting"],
  [{ session: "reconnecting", ready: false, attempt: 2 }, "Reconnecting, attempt 2"],
  [{ session: "disconnected", ready: false }, "Not here"],
  [
    { session: "disconnected", ready: false, error: { code: "connection-failed", values: {} } },
    "Not connected",
  ],
])("a peer with %j: %s", (change, line) => {
  expect(show(change).text()).toBe(line);
});

test("somebody who is not in the room is away", () => {
  const { fake, text } = show({});
  act(() => fake.setRoom(roomWith([])));
  expect(text()).toBe("Not here");
});

test("a page that closes is not said to be reconnecting before it has gone", () => {
  vi.useFakeTimers();
  const { fake, text } = show({ route: direct });
  const lost = { session: "reconnecting", ready: false, attempt: 1 } as const;
  act(() => fake.setRoom(roomWith([fakePeer(1, "Mara", lost)])));
  act(() => void vi.advanceTimersByTime(499));
  expect(text()).toBe("Online");
  act(() => void vi.advanceTimersByTime(1));
  expect(text()).toBe("Reconnecting, attempt 1");
  act(() => fake.setRoom(roomWith([])));
  expect(text()).toBe("Not here");
});
