import { act, cleanup, screen, waitFor, within } from "@testing-library/react";
import type { RoomState } from "@warren/core";
import { afterEach, describe, expect, it, vi } from "vitest";
import { createStore } from "zustand/vanilla";
import type { OtherTab } from "../../platform/network/room-lock.ts";
import { clientIdOf, fakePeer, roomWith } from "../../testing/fake-records.ts";
import { fakeWarren } from "../../testing/fake-warren.ts";
import { fakePlatform, renderWithWarren } from "../../testing/render-with-warren.tsx";
import { Banners } from "./banners.tsx";
import { mostUrgentState } from "./most-urgent-state.ts";

function lost(state: RoomState): RoomState {
  return state.status === "connected" ? { ...state, signalling: "reconnecting" } : state;
}

/** The kind of state that a page has to show; of a conversation unless a path is given. */
const kindOf = (room: RoomState, situation: Partial<Parameters<typeof mostUrgentState>[0]> = {}) =>
  mostUrgentState({
    room,
    online: true,
    otherTab: unseen,
    stored: { unsaved: 0, loadError: null },
    isInvited: false,
    pathname: `/client/${clientIdOf(1)}/chat`,
    ...situation,
  })?.kind;

const unseen: OtherTab = { status: "unseen" };
const there: OtherTab = { status: "there", roomId: "harbour" };
const gone: OtherTab = { status: "gone" };

afterEach(cleanup);

describe("the status banner on every page", () => {
  it("is empty while everything works", () => {
    expect(kindOf(roomWith([fakePeer(1, "Mara")]))).toBeUndefined();
    expect(kindOf({ status: "connecting", roomId: "harbour", isWaiting: false })).toBeUndefined();
  });

  it.each([
    ["/", true, true],
    ["/", false, false],
    ["/file", false, true],
    [`/client/${clientIdOf(1)}/chat`, false, true],
  ] as const)("reports lost signalling on %s, with people there: %s", (path, inCompany, isShown) => {
    const fake = fakeWarren();
    fake.setRoom(lost(roomWith(inCompany ? [fakePeer(1, "Mara")] : [])));
    renderWithWarren(<Banners />, fake, { path });
    expect(screen.queryByText(/^Warren's server does not answer/) !== null).toBe(isShown);
  });

  it("reports a missing network before anything else", () => {
    expect(kindOf(lost(roomWith([fakePeer(1, "Mara")])), { online: false })).toBe("offline");
  });

  it("reports what storage rejected, until it is stored", () => {
    const fake = fakeWarren();
    renderWithWarren(<Banners />, fake);
    act(() => fake.setChat({ unsaved: 2 }));
    expect(screen.getByText(/^Storage is full\. Free up space and keep this page open/)).toBeTruthy();
    act(() => fake.setChat({ unsaved: 0 }));
    expect(screen.queryByText(/^Storage is full/)).toBeNull();
  });

  it("reports storage that does not open, until it does", () => {
    const fake = fakeWarren();
    renderWithWarren(<Banners />, fake);
    act(() =>
      fake.setChat({ loaded: false, loadError: { code: "db-not-initialized", values: {} }, unsaved: 2 }),
    );
    expect(screen.getByText(/^Stored data cannot be opened\. The disk may be full/)).toBeTruthy();
    act(() => fake.setChat({ loaded: true, loadError: null, unsaved: 0 }));
    expect(screen.queryByText(/^Stored data cannot be opened/)).toBeNull();
  });

  it("reports storage that never opens, and offers to continue without it", async () => {
    const continueInMemory = vi.fn();
    const browserData = { ...fakePlatform().browserData, continueInMemory };
    const fake = fakeWarren();
    const { user } = renderWithWarren(<Banners />, fake, { platform: { ...fakePlatform(), browserData } });
    const values = { reason: "VersionError" };
    act(() => fake.setChat({ loaded: false, loadError: { code: "db-not-initialized", values } }));
    await user.click(screen.getByRole("button", { name: "Continue without saving" }));
    const dialog = await screen.findByRole("dialog", { name: "Continue without saving?" });
    expect(dialog.textContent).toMatch(/without your contacts and history: people you blocked can reach you/);
    expect(continueInMemory).not.toHaveBeenCalled();
    await user.click(within(dialog).getByRole("button", { name: "Continue without saving" }));
    await waitFor(() => expect(continueInMemory).toHaveBeenCalledTimes(1));
  });

  it("reports what the start page shows itself only elsewhere, and there what comes after it", () => {
    const error = { code: "incorrect-password", values: {} } as const;
    const refused: RoomState = { status: "disconnected", error };
    const stored = { unsaved: 2, loadError: null };
    expect(kindOf(refused, { stored })).toBe("refused");
    expect(kindOf(refused, { stored, pathname: "/" })).toBe("unsaved");
    expect(kindOf(lost(roomWith([])), { pathname: "/" })).toBeUndefined();
  });

  it("reports that the server has another version, and fetches the app anew", async () => {
    const reloadPastCache = vi.fn();
    const browserData = { ...fakePlatform().browserData, reloadPastCache };
    const fake = fakeWarren();
    fake.setRoom({ status: "disconnected", error: { code: "another-version", values: {} } });
    const { user } = renderWithWarren(<Banners />, fake, { platform: { ...fakePlatform(), browserData } });
    expect(screen.getByText(/^The server now has a different version of Warren/)).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Reload" }));
    await waitFor(() => expect(reloadPastCache).toHaveBeenCalledTimes(1));
  });

  it("reports another tab that took over the room", () => {
    const error = { code: "signalling-replaced", values: {} } as const;
    expect(kindOf({ status: "disconnected", error })).toBe("other-tab");
  });

  it("reports the tab that is in the room, before joining and while this one is not in it", () => {
    const free: RoomState = { status: "disconnected", error: null };
    expect(kindOf(free, { otherTab: there })).toBe("other-tab");
    expect(kindOf(free, { otherTab: there, pathname: "/" })).toBeUndefined();
    expect(kindOf(free, { otherTab: there, pathname: "/", isInvited: true })).toBe("other-tab");
    const joining: RoomState = { status: "connecting", roomId: "harbour", isWaiting: false };
    expect(kindOf(joining, { otherTab: there })).toBe("other-tab");
    expect(kindOf(roomWith([]), { otherTab: there })).toBeUndefined();
    expect(kindOf(free, { otherTab: gone })).toBe("not-joined");
    const error = { code: "signalling-replaced", values: {} } as const;
    expect(kindOf({ status: "disconnected", error }, { otherTab: gone })).toBe("not-joined");
  });
});

describe("outside of the room", () => {
  const left: RoomState = { status: "disconnected", error: null };
  const chat = `/client/${clientIdOf(1)}/chat`;

  it.each([chat, `/client/${clientIdOf(1)}/sync`, "/client/everyone/chat", "/video"])(
    "%s says so and offers to join, until the room is joined",
    async (path) => {
      const fake = fakeWarren();
      fake.setRoom(left);
      const { user } = renderWithWarren(<Banners />, fake, { path });
      expect(screen.getByText("You are not in harbour. Join it to send and receive.")).toBeTruthy();
      await user.click(screen.getByRole("button", { name: "Join room" }));
      expect(fake.argsOf("join")).toHaveLength(1);
      act(() => fake.setRoom({ status: "connecting", roomId: "harbour", isWaiting: false }));
      expect(screen.queryByRole("button", { name: "Join room" })).toBeNull();
    },
  );

  it.each(["/", "/file", "/setting", "/share"])(
    "%s, which has its own next step or needs no room, does not",
    (path) => {
      const fake = fakeWarren();
      fake.setRoom(left);
      renderWithWarren(<Banners />, fake, { path });
      expect(screen.queryByRole("button", { name: "Join room" })).toBeNull();
    },
  );

  it("a conversation says who has to let us in, and offers to cancel", async () => {
    const fake = fakeWarren();
    fake.setRoom({ status: "connecting", roomId: "harbour", isWaiting: true });
    const { user } = renderWithWarren(<Banners />, fake, { path: chat });
    expect(screen.getByText("Someone in harbour has been asked to let you in.")).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Cancel joining" }));
    expect(fake.argsOf("leave")).toHaveLength(1);
  });
});

describe("a rejected password", () => {
  const refused: RoomState = { status: "disconnected", error: { code: "incorrect-password", values: {} } };

  it("is reported on every page except the one with its field, with a link there", async () => {
    const fake = fakeWarren();
    fake.setRoom(refused);
    const { user } = renderWithWarren(<Banners />, fake, { path: "/file" });
    expect(screen.getByText("Wrong password.")).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Join again" }));
    expect(screen.queryByText(/does not match/)).toBeNull();
  });
});

describe("another tab", () => {
  it("is reported with its room, replaced by Use here, and no longer mentioned once it is gone", async () => {
    const other = createStore<OtherTab>(() => there);
    const takeOver = vi.fn();
    const platform = { ...fakePlatform(), roomLock: { other, takeOver, watch: () => () => {} } };
    const fake = fakeWarren();
    fake.setRoom({ status: "disconnected", error: null });
    const { user } = renderWithWarren(<Banners />, fake, { platform, path: "/file" });
    expect(screen.getByText(/is open in another tab\.$/)).toBeTruthy();
    act(() => other.setState({ status: "there", roomId: "quay" }, true));
    expect(screen.getByText("You are in quay in another tab. Joining here leaves it there.")).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Use here" }));
    expect(takeOver).toHaveBeenCalledTimes(1);
    expect(fake.argsOf("join")).toHaveLength(1);
    act(() => other.setState(gone, true));
    expect(screen.queryByText(/another tab/)).toBeNull();
  });

  it("is watched for while this one is not in a room", () => {
    const stop = vi.fn();
    const watch = vi.fn(() => stop);
    const platform = { ...fakePlatform(), roomLock: { ...fakePlatform().roomLock, watch } };
    const fake = fakeWarren();
    fake.setRoom({ status: "disconnected", error: null });
    renderWithWarren(<Banners />, fake, { platform });
    expect(watch).toHaveBeenCalledTimes(1);
    act(() => fake.setRoom(roomWith([])));
    expect(stop).toHaveBeenCalledTimes(1);
  });
});
