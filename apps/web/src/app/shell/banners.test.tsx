import { act, cleanup, screen, waitFor, within } from "@testing-library/react";
import type { RoomState } from "@warren/core";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createStore } from "zustand/vanilla";
import { fakePeer, roomWith } from "../../testing/fake-records.ts";
import { fakeWarren } from "../../testing/fake-warren.ts";
import { fakeDevice, renderWithWarren } from "../../testing/render-with-warren.tsx";
import type { OtherTab } from "../../ui/device-context.tsx";
import { Banners, lastingState } from "./banners.tsx";

function lost(state: RoomState): RoomState {
  return state.status === "connected" ? { ...state, signalling: "reconnecting" } : state;
}

const unseen: OtherTab = { status: "unseen" };
const there: OtherTab = { status: "there", roomId: "harbour" };
const gone: OtherTab = { status: "gone" };

afterEach(cleanup);

describe("the state told over every page", () => {
  it("is none while all is well", () => {
    expect(lastingState(roomWith([fakePeer(1, "Mara")]), true, unseen)).toBeNull();
    expect(lastingState({ status: "disconnected", error: null }, true, unseen)).toBeNull();
  });

  it("is lost signalling only while sessions with others live on", () => {
    expect(lastingState(lost(roomWith([fakePeer(1, "Mara")])), true, unseen)).toBe("signalling-lost");
    expect(lastingState(lost(roomWith([])), true, unseen)).toBeNull();
  });

  it("is the missing network before anything else", () => {
    expect(lastingState(lost(roomWith([fakePeer(1, "Mara")])), false, unseen)).toBe("offline");
  });

  it("is what storage refused, until it has taken it", () => {
    const fake = fakeWarren();
    renderWithWarren(<Banners />, fake);
    act(() => fake.setChat({ unsaved: 2 }));
    expect(screen.getByText(/^Storage is full\. Keep this page open/)).toBeTruthy();
    act(() => fake.setChat({ unsaved: 0 }));
    expect(screen.queryByText(/^Storage is full/)).toBeNull();
  });

  it("is storage that does not open, until it does", () => {
    const fake = fakeWarren();
    renderWithWarren(<Banners />, fake);
    act(() =>
      fake.setChat({ loaded: false, loadError: { code: "db-not-initialized", values: {} }, unsaved: 2 }),
    );
    expect(screen.getByText(/^Storage does not open. The disk may be full/)).toBeTruthy();
    act(() => fake.setChat({ loaded: true, loadError: null, unsaved: 0 }));
    expect(screen.queryByText(/^Storage does not open/)).toBeNull();
  });

  it("is storage that never opens, with the way on without it", async () => {
    const goOnInMemory = vi.fn();
    const browserData = async () => ({
      ...(await import("../../platform/browser-data.ts")).browserData,
      goOnInMemory,
    });
    const fake = fakeWarren();
    const { user } = renderWithWarren(<Banners />, fake, { device: { ...fakeDevice(), browserData } });
    const values = { reason: "VersionError" };
    act(() => fake.setChat({ loaded: false, loadError: { code: "db-not-initialized", values } }));
    await user.click(screen.getByRole("button", { name: "Continue without it" }));
    const dialog = await screen.findByRole("dialog", { name: "Continue without storage?" });
    expect(dialog.textContent).toMatch(/without your contacts and history: people you blocked can reach you/);
    expect(goOnInMemory).not.toHaveBeenCalled();
    await user.click(within(dialog).getByRole("button", { name: "Continue without it" }));
    await waitFor(() => expect(goOnInMemory).toHaveBeenCalledTimes(1));
  });

  it("is the other tab that took the room over", () => {
    const error = { code: "signalling-replaced", values: {} } as const;
    expect(lastingState({ status: "disconnected", error }, true, unseen)).toBe("other-tab");
  });

  it("is the tab that has the room, before anybody joins, while it does and as long as this one is not in it", () => {
    const free: RoomState = { status: "disconnected", error: null };
    expect(lastingState(free, true, there)).toBe("other-tab");
    expect(lastingState({ status: "connecting", roomId: "harbour", isWaiting: false }, true, there)).toBe(
      "other-tab",
    );
    expect(lastingState(roomWith([]), true, there)).toBeNull();
    expect(lastingState(free, true, gone)).toBeNull();
    const error = { code: "signalling-replaced", values: {} } as const;
    expect(lastingState({ status: "disconnected", error }, true, gone)).toBeNull();
  });
});

describe("a password that the room refused", () => {
  const refused: RoomState = { status: "disconnected", error: { code: "incorrect-password", values: {} } };

  it("is said on every page but the one whose field cures it, with the way there", async () => {
    const fake = fakeWarren();
    fake.setRoom(refused);
    const { user } = renderWithWarren(<Banners />, fake, { path: "/file" });
    expect(screen.getByText("The others here use a different password.")).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Join again" }));
    expect(screen.queryByText(/does not match/)).toBeNull();
  });
});

describe("the other tab", () => {
  it("is told of with its room, gives way to who presses Use here, and is not spoken of when it has gone", async () => {
    const other = createStore<OtherTab>(() => there);
    const insist = vi.fn();
    const device = { ...fakeDevice(), roomPlace: { other, insist, watch: () => () => {} } };
    const fake = fakeWarren();
    fake.setRoom({ status: "disconnected", error: null });
    const { user } = renderWithWarren(<Banners />, fake, { device });
    expect(screen.getByText("This room is open in another tab.")).toBeTruthy();
    act(() => other.setState({ status: "there", roomId: "quay" }, true));
    expect(screen.getByText("You are in quay in another tab. Joining here leaves it there.")).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Use here" }));
    expect(insist).toHaveBeenCalledTimes(1);
    expect(fake.argsOf("join")).toHaveLength(1);
    act(() => other.setState(gone, true));
    expect(screen.queryByText(/another tab/)).toBeNull();
  });

  it("is looked out for as long as this one is in no room", () => {
    const stop = vi.fn();
    const watch = vi.fn(() => stop);
    const device = { ...fakeDevice(), roomPlace: { ...fakeDevice().roomPlace, watch } };
    const fake = fakeWarren();
    fake.setRoom({ status: "disconnected", error: null });
    renderWithWarren(<Banners />, fake, { device });
    expect(watch).toHaveBeenCalledTimes(1);
    act(() => fake.setRoom(roomWith([])));
    expect(stop).toHaveBeenCalledTimes(1);
  });
});
