import { act, cleanup, fireEvent, screen, within } from "@testing-library/react";
import { starterId } from "@warren/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { countWrites } from "../../testing/count-writes.ts";
import {
  clientIdOf,
  fakeContact,
  fakeFile,
  fakePeer,
  fakeText,
  fakeTransfer,
  roomWith,
} from "../../testing/fake-records.ts";
import { type FakeWarren, fakeWarren } from "../../testing/fake-warren.ts";
import { renderWithWarren } from "../../testing/render-with-warren.tsx";
import { paths } from "../../wiring/paths.ts";
import { PeopleListPane } from "./people-list-pane.tsx";
import { peopleOrder } from "./people-order.ts";

const [mara, noor, jun, elise] = [clientIdOf(1), clientIdOf(2), clientIdOf(3), clientIdOf(4)];
let fake: FakeWarren;

beforeEach(() => {
  fake = fakeWarren();
  fake.setRoom(roomWith([fakePeer(1, "Mara Lindqvist"), fakePeer(2, "Noor Haddad")]));
  fake.setChat({ contacts: { [elise]: fakeContact(4, "Elise Moreau") } });
});

afterEach(cleanup);

const rows = (): HTMLElement[] =>
  within(screen.getByRole("navigation", { name: "People" })).getAllByRole("link");
const rowOf = (id: string): HTMLElement => {
  const row = rows().find((link) => link.getAttribute("href") === `/client/${id}/chat`);
  if (!row) throw new Error(`no row of ${id}`);
  return row;
};
const names = (): (string | null)[] => rows().map((link) => link.getAttribute("href"));

test("the room's menu offers to leave it, and to join it again afterwards", async () => {
  const { user } = renderWithWarren(<PeopleListPane />, fake);
  const entries = () => screen.getAllByRole("menuitem").map((entry) => entry.textContent);
  await user.click(screen.getByRole("button", { name: "Room menu" }));
  await screen.findByRole("menuitem", { name: "Leave room" });
  expect(entries()).not.toContain("Join room");
  act(() => fake.setRoom({ status: "disconnected", error: null }));
  expect(entries()).not.toContain("Leave room");
  expect(entries()).toContain("Join room");
});

describe("the people list", () => {
  test("lists everyone first, then present peers, then absent ones, and counts them", () => {
    fake.addMessage(fakeText(noor, noor, "Which channel?", 1));
    renderWithWarren(<PeopleListPane />, fake);
    expect(names()).toEqual(["everyone", noor, mara, elise].map((id) => `/client/${id}/chat`));
    expect(screen.getByText("3 here")).toBeTruthy();
    expect(screen.getByRole("list", { name: "Not here" }).textContent).toContain("Elise Moreau");
    expect(screen.getByText("1 unread message")).toBeTruthy();
  });

  test("does not re-render its search when a message arrives or a file moves", () => {
    renderWithWarren(<PeopleListPane />, fake);
    const writes = countWrites(screen.getByRole("searchbox", { name: "Search people and messages" }));
    act(() => fake.addMessage(fakeText(noor, noor, "Hello", 1)));
    const file = fakeFile(mara, mara, {}, { state: "running" }, 2);
    act(() => fake.addMessage(file));
    act(() => fake.setTransfer(fakeTransfer(file, mara, { now: { state: "running" } })));
    expect(names()[1]).toContain(mara);
    expect(writes()).toBe(0);
  });

  test("moves the latest speaker to the top of the present peers", () => {
    renderWithWarren(<PeopleListPane />, fake);
    expect(names()[1]).toContain(mara);
    act(() => fake.addMessage(fakeText(noor, noor, "Hello", 1)));
    expect(names()[1]).toContain(noor);
    expect(rows()[1]?.textContent).toContain("Hello");
  });

  test.each([
    ["online", { session: "connected" }],
    ["connecting", { session: "connecting" }],
    ["reconnecting", { session: "reconnecting" }],
    ["offline", { session: "disconnected" }],
  ] as const)("shows a peer in the room as %s", (label, change) => {
    fake.setRoom(roomWith([fakePeer(1, "Mara Lindqvist", change)]));
    renderWithWarren(<PeopleListPane />, fake);
    expect(within(rowOf(mara)).getByText(label, { exact: true })).toBeTruthy();
  });

  test('shows "leave" for an absent peer while in a room, and "offline" outside of one', () => {
    renderWithWarren(<PeopleListPane />, fake);
    expect(within(rowOf(elise)).getByText("leave", { exact: true })).toBeTruthy();
    act(() => fake.setRoom({ status: "disconnected", error: null }));
    expect(within(rowOf(elise)).getByText("offline", { exact: true })).toBeTruthy();
  });

  test("says of everybody which way the connection takes, or that there is none", () => {
    const route = { kind: "relayed", relayHost: "turn.example.org" } as const;
    const error = { code: "connection-failed", values: {} } as const;
    fake.setRoom(
      roomWith([
        fakePeer(1, "Mara", { route }),
        fakePeer(2, "Noor", { session: "disconnected", ready: false, error }),
        fakePeer(3, "Jun", { session: "connecting", ready: false }),
      ]),
    );
    renderWithWarren(<PeopleListPane />, fake);
    expect(rowOf(mara).textContent).toContain("Online, over a relay");
    expect(rowOf(noor).textContent).toContain("Not connected");
    expect(rowOf(jun).textContent?.match(/Connecting/g)).toHaveLength(1);
  });

  test("shows the progress of a receiving file", () => {
    const file = fakeFile(mara, mara, { fileSize: 1_000 }, { state: "running" }, 1);
    renderWithWarren(<PeopleListPane />, fake);
    act(() => fake.setTransfer(fakeTransfer(file, mara, { transferredBytes: 450 })));
    expect(screen.getByText("Receiving, 45%")).toBeTruthy();
  });

  test("marks the open conversation, and its links are reached by arrow keys too", async () => {
    const { user } = renderWithWarren(<PeopleListPane />, fake, { path: `/client/${noor}/chat` });
    const current = () => rows().filter((link) => link.getAttribute("aria-current") === "page");
    expect(current()).toEqual([rowOf(noor)]);
    await user.click(screen.getByRole("searchbox"));
    await user.keyboard("{ArrowDown}{ArrowDown}");
    expect(document.activeElement).toBe(rows()[1]);
    await user.keyboard("{End}");
    expect(document.activeElement).toBe(rows()[3]);
    await user.keyboard("{Enter}");
    expect(current()).toEqual([rowOf(elise)]);
  });

  test("searches names regardless of accents and case", async () => {
    fake.setRoom(roomWith([fakePeer(1, "Tomás Silva"), fakePeer(2, "Noor Haddad")]));
    const { user } = renderWithWarren(<PeopleListPane />, fake);
    await user.type(screen.getByRole("searchbox", { name: "Search people and messages" }), "TOMAS");
    expect(rows()).toHaveLength(1);
    await user.type(screen.getByRole("searchbox"), "x");
    expect(await screen.findByText("Nothing matches “TOMASx”.")).toBeTruthy();
    await user.click(screen.getAllByRole("button", { name: "Clear search" }).at(-1) ?? document.body);
    expect(rows()).toHaveLength(4);
  });
});

test("opens a peer's menu by right click, menu key and long press", async () => {
  const fake = fakeWarren();
  fake.setRoom(roomWith([fakePeer(1, "Mara Lindqvist")]));
  fake.setChat({ contacts: { [clientIdOf(1)]: fakeContact(1, "Mara Lindqvist") } });
  const { user } = renderWithWarren(<PeopleListPane />, fake);
  const row = screen.getByRole("link", { name: /Mara/ });
  const entries = () => screen.getAllByRole("menuitem").map((entry) => entry.textContent);
  expect(fireEvent.contextMenu(row, { button: 2 })).toBe(false);
  expect(entries()).toEqual([
    "Send files or text to Mara",
    "Compare files",
    "About Mara Lindqvist",
    "Block Mara Lindqvist",
    "Delete conversation",
  ]);
  await user.keyboard("{Escape}");
  expect(screen.queryByRole("menu")).toBeNull();
  fireEvent.contextMenu(row, { button: 0 });
  expect(screen.getByRole("menu")).toBeTruthy();
  await user.keyboard("{Escape}");
  fireEvent.pointerDown(row, { pointerType: "touch", clientX: 5, clientY: 5 });
  expect(await screen.findByRole("menu")).toBeTruthy();
  await user.click(screen.getByRole("menuitem", { name: "Delete conversation" }));
  expect(
    await screen.findByRole("dialog", { name: "Delete the conversation with Mara Lindqvist?" }),
  ).toBeTruthy();
  expect(
    screen.getByText(
      /Files stay on the Files page\. Mara Lindqvist is still in the room, and stays in the list with an empty conversation\.$/,
    ),
  ).toBeTruthy();
  await user.keyboard("{Escape}");
});

test("has a menu for everyone too, which sends to all present peers", async () => {
  const fake = fakeWarren();
  fake.setRoomLog(false);
  renderWithWarren(<PeopleListPane />, fake);
  const entries = () => screen.getAllByRole("menuitem").map((entry) => entry.textContent);
  fireEvent.contextMenu(screen.getByRole("link", { name: /Everyone/ }), { button: 2 });
  expect(entries()).toEqual(["Open conversation"]);
  act(() => fake.setRoom(roomWith([fakePeer(1, "Mara Lindqvist")])));
  expect(entries()).toEqual(["Open conversation", "Send files or text to Everyone"]);
  fireEvent.click(screen.getByRole("menuitem", { name: "Send files or text to Everyone" }));
  const dialog = within(await screen.findByRole("dialog", { name: "Send to Everyone" }));
  fireEvent.change(dialog.getByRole("textbox", { name: "Text" }), { target: { value: "Hello all" } });
  fireEvent.click(dialog.getByRole("button", { name: "Send" }));
  await expect.poll(() => fake.argsOf("sendText")).toEqual([["everyone", "Hello all"]]);
});

const talk = (id: string, at: number) => ({ [id]: { messages: [fakeText(id, id, "words", at)], unread: 0 } });
const contacts = (...list: readonly ReturnType<typeof fakeContact>[]) =>
  Object.fromEntries(list.map((contact) => [contact.clientId, contact]));

describe("the order of the people list", () => {
  test("has present peers first, then absent ones, each by their last message", () => {
    const room = roomWith([fakePeer(1, "Mara"), fakePeer(2, "Noor")]);
    const met = contacts(fakeContact(1, "Mara"), fakeContact(3, "Jun"), fakeContact(4, "Elise"));
    const conversations = { ...talk(mara, 10), ...talk(noor, 20), ...talk(jun, 30), ...talk(elise, 40) };
    expect(peopleOrder({ contacts: met, conversations }, room)).toEqual({
      here: [noor, mara],
      away: [elise, jun],
    });
  });

  test("has peers without messages last, by name", () => {
    const room = roomWith([fakePeer(1, "Zoe"), fakePeer(2, "Ada"), fakePeer(3, "Jun")]);
    const order = peopleOrder({ contacts: {}, conversations: talk(jun, 1) }, room);
    expect(order.here).toEqual([jun, noor, mara]);
  });

  test("counts a reconnecting peer as present, and an unreachable one as absent", () => {
    const room = roomWith([
      fakePeer(1, "Mara", { session: "reconnecting", ready: false }),
      fakePeer(2, "Noor", { session: "disconnected", ready: false }),
    ]);
    expect(peopleOrder({ contacts: {}, conversations: {} }, room)).toEqual({ here: [mara], away: [noor] });
  });

  test("has only known contacts outside of a room", () => {
    const order = peopleOrder(
      { contacts: contacts(fakeContact(1, "Mara")), conversations: {} },
      { status: "disconnected", error: null },
    );
    expect(order).toEqual({ here: [], away: [mara] });
  });
});

describe("the welcome", () => {
  beforeEach(() => {
    fake = fakeWarren();
    fake.setChat({ contacts: { [starterId]: { ...fakeContact(9, "Warren"), clientId: starterId } } });
    fake.setChat({ open: starterId });
    fake.addMessage(fakeText(starterId, starterId, "Welcome.", Date.now()));
  });

  test("is listed below everyone, not counted, and neither online nor offline", () => {
    renderWithWarren(<PeopleListPane />, fake);
    const rows = screen.getAllByRole("link");
    expect(rows.at(-1)?.textContent).toContain("Warren");
    expect(rows.at(-1)?.textContent).not.toContain("offline");
    expect(screen.getByText("Only you")).toBeTruthy();
    expect(screen.getByRole("list", { name: "Getting started" }).textContent).toContain("Welcome.");
  });

  test("leaves the list once somebody was met, unless it is open", () => {
    const mara = fakeContact(1, "Mara Lindqvist");
    const welcome = () => screen.queryByRole("list", { name: "Getting started" });
    const { unmount } = renderWithWarren(<PeopleListPane />, fake);
    expect(welcome()).not.toBeNull();
    act(() =>
      fake.setChat({ contacts: { ...fake.warren.chat.store.getState().contacts, [mara.clientId]: mara } }),
    );
    expect(welcome()).toBeNull();
    unmount();
    renderWithWarren(<PeopleListPane />, fake, { path: paths.chat.href(starterId) });
    expect(welcome()).not.toBeNull();
  });

  test("is found by its name and hidden by another search", async () => {
    const { user } = renderWithWarren(<PeopleListPane />, fake);
    await user.type(screen.getByRole("searchbox"), "warr");
    expect(screen.getAllByRole("link")).toHaveLength(1);
    await user.type(screen.getByRole("searchbox"), "x");
    expect(screen.queryAllByRole("link")).toHaveLength(0);
  });
});
