import { act, cleanup, screen, waitFor } from "@testing-library/react";
import { type RoomState, readJoinLink, type VisitedRoom } from "@warren/core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Router, useLocation } from "wouter";
import { useBrowserLocation, useSearch } from "wouter/use-browser-location";
import { historyState, updateHistoryState, useShowRoom } from "../room/room-address.ts";
import { fakePeer, roomWith } from "../testing/fake-records.ts";
import { type FakeWarren, fakeWarren } from "../testing/fake-warren.ts";
import { renderWithWarren } from "../testing/render-with-warren.tsx";
import { isHome, paths } from "../wiring/paths.ts";
import { useOpenOnArrival } from "./use-open-on-arrival.ts";
import { nameJoinedRoom, useRoomAddress } from "./use-room-address.ts";

const outside: RoomState = { status: "disconnected", error: null };
const inRoom = (roomId: string): RoomState => ({ ...roomWith([fakePeer(1, "Mara")]), roomId }) as RoomState;
const joining = (roomId: string): RoomState => ({ status: "connecting", roomId, isWaiting: false });
const kept = (id: string, password: string | null): VisitedRoom => ({
  ...{ id, password, lastVisit: 1, firstVisit: 0 },
  tag: `${id.slice(0, 9)}-`.padEnd(43, "x"),
});

let fake: FakeWarren;

beforeEach(() => {
  history.replaceState(null, "", "/");
  fake = fakeWarren();
  fake.setRoom(outside);
  fake.setChat({ loaded: true });
  fake.setRooms([kept("quay", "tidal"), kept("burrow", null), kept("fish & chips", "salt")]);
});
afterEach(() => {
  cleanup();
  history.replaceState(null, "", "/");
});

function Address() {
  useRoomAddress();
  return null;
}

const open = () =>
  renderWithWarren(
    <Router hook={useBrowserLocation} searchHook={useSearch}>
      <Address />
    </Router>,
    fake,
  );
const address = () => location.pathname + location.search + location.hash;
const set = (state: RoomState) => act(() => fake.setRoom(state));
const back = () =>
  act(async () => {
    const gone = new Promise((resolve) => addEventListener("popstate", resolve, { once: true }));
    history.back();
    await gone;
  });

describe("the address of a room", () => {
  it("is the page's while joining it and in it, and never has its password", () => {
    open();
    const before = history.length;
    set(joining("harbour"));
    expect(address()).toBe("/r/harbour");
    set(inRoom("harbour"));
    expect(address()).toBe("/r/harbour");
    expect(history.length).toBe(before);
    set(outside);
    expect(address()).toBe("/");
  });

  it("names the room that the page joins as it opens before anything is rendered", () => {
    fake.setRoom(joining("harbour"));
    nameJoinedRoom(fake.warren);
    expect(address()).toBe("/r/harbour");
    open();
    set(outside);
    expect(address()).toBe("/");
  });

  it("names it still if the join has failed by the first render, and does not try again", async () => {
    fake.setRoom(joining("quay"));
    nameJoinedRoom(fake.warren);
    fake.setRoom(outside);
    open();
    await act(async () => {});
    expect(address()).toBe("/r/quay");
    expect(fake.argsOf("join")).toEqual([]);
  });

  it("stays that of another page", () => {
    history.replaceState(null, "", "/file");
    fake.setRoom(joining("harbour"));
    nameJoinedRoom(fake.warren);
    expect(address()).toBe("/file");
  });

  it.each(["harbour", "fish & chips", "a/b", "50% off", "c++", "../up", "房间"])(
    "%s leads back to the room",
    (id) => {
      const link = readJoinLink(`https://warren.example${paths.room.href(id)}`);
      expect(link).toMatchObject({ roomId: id, password: null, join: true });
      open();
      set(inRoom(id));
      expect(address()).toBe(paths.room.href(id));
    },
  );

  it("stays where a room could not be joined, so that a reload tries again", () => {
    open();
    set(joining("harbour"));
    set({ status: "disconnected", error: { code: "signalling-unreachable", values: {} } as never });
    expect(address()).toBe("/r/harbour");
  });

  it("leaves other pages alone", () => {
    history.replaceState(null, "", "/setting");
    open();
    set(inRoom("harbour"));
    expect(address()).toBe("/setting");
  });
});

it("takes the place of the start page, and is an entry of its own after another room's", async () => {
  function Show() {
    const showRoom = useShowRoom();
    return ["burrow", "quay"].map((id) => (
      <button key={id} type="button" onClick={() => showRoom(id)}>
        {id}
      </button>
    ));
  }
  const { user } = renderWithWarren(
    <Router hook={useBrowserLocation} searchHook={useSearch}>
      <Show />
    </Router>,
    fake,
  );
  const before = history.length;
  await user.click(screen.getByRole("button", { name: "burrow" }));
  expect([address(), history.length]).toEqual(["/r/burrow", before]);
  await user.click(screen.getByRole("button", { name: "quay" }));
  expect(address()).toBe("/r/quay");
  await back();
  expect(address()).toBe("/r/burrow");
});

describe("the state of a history entry", () => {
  it("is added to, and goes with the entry", async () => {
    history.pushState(null, "", "/client/everyone/chat");
    updateHistoryState({ room: "quay" });
    updateHistoryState({ isReturn: true });
    history.pushState(null, "", "/");
    expect(historyState()).toEqual({});
    await back();
    expect(historyState()).toEqual({ room: "quay", isReturn: true });
  });

  it.each([[{ room: 5 }], ["quay"], [{ room: "" }]])("is empty where %j is in it", (state) => {
    history.replaceState(state, "");
    expect(historyState()).toEqual({});
  });
});

describe("Back", () => {
  it.each([
    ["burrow", "quay", "tidal"],
    ["harbour", "fish & chips", "salt"],
  ])("from %s goes to %s, with its password", async (now, before, password) => {
    open();
    set(inRoom(before));
    set(inRoom(now));
    expect(address()).toBe(paths.room.href(now));
    await back();
    await waitFor(() => expect(fake.argsOf("updateProfile")).toContainEqual([{ roomId: before, password }]));
    expect(fake.argsOf("leave")).toHaveLength(1);
    set(joining(before));
    expect(address()).toBe(paths.room.href(before));
  });

  it("to a room with one person in it stays at the room, and Forward leads on", async () => {
    function Arriving() {
      useOpenOnArrival(isHome(useLocation()[0]) ? null : undefined, true);
      return null;
    }
    renderWithWarren(
      <Router hook={useBrowserLocation} searchHook={useSearch}>
        <Address />
        <Arriving />
      </Router>,
      fake,
    );
    const meets = (roomId: string, joinedAt: number) => {
      set({ ...inRoom(roomId), peers: {}, joinedAt } as RoomState);
      set({ ...inRoom(roomId), joinedAt } as RoomState);
    };
    meets("quay", 1);
    expect(address()).toMatch("/client/");
    act(() => history.pushState(null, "", paths.room.href("quay")));
    set(joining("burrow"));
    set({ ...inRoom("burrow"), joinedAt: 1 } as RoomState);
    await back();
    await waitFor(() => expect(fake.argsOf("leave")).toHaveLength(1));
    set(joining("quay"));
    meets("quay", 2);
    expect(address()).toBe("/r/quay");
  });

  it("to a room that was forgotten stays", async () => {
    open();
    set(inRoom("attic"));
    set(inRoom("burrow"));
    await back();
    await waitFor(() => expect(address()).toBe("/r/burrow"));
    expect(fake.argsOf("leave")).toEqual([]);
  });

  it("to what was said to everyone in another room goes to that room", async () => {
    const everyoneHere = "/client/everyone/chat";
    open();
    set(inRoom("quay"));
    act(() => history.pushState(null, "", everyoneHere));
    act(() => history.pushState(null, "", paths.room.href("quay")));
    await back();
    expect(fake.argsOf("leave")).toEqual([]);
    act(() => {
      history.pushState(null, "", paths.room.href("burrow"));
      fake.setRoom(inRoom("burrow"));
    });
    const before = history.length;
    await back();
    await waitFor(() =>
      expect(fake.argsOf("updateProfile")).toContainEqual([{ roomId: "quay", password: "tidal" }]),
    );
    set(inRoom("quay"));
    expect([address(), history.length]).toEqual([everyoneHere, before]);
  });
});
