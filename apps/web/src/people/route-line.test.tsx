import { act, cleanup, screen } from "@testing-library/react";
import type { Peer } from "@warren/core";
import { afterEach, expect, test, vi } from "vitest";
import { fakePeer, roomWith } from "../testing/fake-records.ts";
import { fakeWarren } from "../testing/fake-warren.ts";
import { renderWithWarren } from "../testing/render-with-warren.tsx";
import { RouteLine } from "./route-line.tsx";
import { usePerson } from "./use-person.ts";

const mara = fakePeer(1, "Mara").clientId;
const direct = { kind: "direct-local", relayHost: null } as const;

function Line() {
  return <RouteLine person={usePerson(mara)} />;
}

function show(change: Partial<Peer>, roundTripMs: number | null = 3) {
  const fake = fakeWarren();
  const roundTripTo = vi.spyOn(fake.warren.room, "roundTripTo").mockReturnValue(roundTripMs);
  fake.setRoom(roomWith([fakePeer(1, "Mara", change)]));
  renderWithWarren(<Line />, fake);
  return { fake, roundTripTo, text: () => document.querySelector("span.tabular-nums")?.textContent };
}

afterEach(cleanup);
afterEach(() => vi.useRealTimers());

test.each([
  [direct, 3.4, "Direct on your network · 3 ms"],
  [direct, 0, "Direct on your network · 1 ms"],
  [direct, null, "Direct on your network"],
  [{ kind: "direct-internet", relayHost: null }, 41, "Direct over the internet · 41 ms"],
  [{ kind: "relayed", relayHost: "turn.example.org" }, 60, "Through relay turn.example.org · 60 ms"],
  [{ kind: "relayed", relayHost: null }, 60, "Through a relay · 60 ms"],
  [null, 60, "Online"],
] as const)("a peer by %j after %s ms: %s", (route, roundTripMs, line) => {
  expect(show({ route }, roundTripMs).text()).toBe(line);
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

test("the time is read every 5 s, and not while the page is hidden", async () => {
  vi.useFakeTimers();
  const visibility = vi.spyOn(document, "visibilityState", "get").mockReturnValue("visible");
  const { roundTripTo } = show({ route: direct });
  const turn = (state: DocumentVisibilityState): void => {
    visibility.mockReturnValue(state);
    act(() => void document.dispatchEvent(new Event("visibilitychange")));
  };
  roundTripTo.mockReturnValue(8);
  act(() => void vi.advanceTimersByTime(5_000));
  expect(screen.getByText("Direct on your network · 8 ms")).toBeTruthy();
  turn("hidden");
  roundTripTo.mockClear();
  act(() => void vi.advanceTimersByTime(60_000));
  expect(roundTripTo).not.toHaveBeenCalled();
  roundTripTo.mockReturnValue(12);
  turn("visible");
  expect(screen.getByText("Direct on your network · 12 ms")).toBeTruthy();
});
