import { act, cleanup, screen, waitFor, within } from "@testing-library/react";
import { everyone, type VisitedRoom } from "@warren/core";
import { afterEach, beforeEach, expect, it } from "vitest";
import { PeopleListPane } from "../../chat/list/people-list-pane.tsx";
import { cancelDialog } from "../../testing/cancel-dialog.ts";
import { remoteSource } from "../../testing/fake-call.ts";
import { clientIdOf, fakeContact, fakePeer, roomWith } from "../../testing/fake-records.ts";
import { type FakeWarren, fakeWarren } from "../../testing/fake-warren.ts";
import { renderWithWarren } from "../../testing/render-with-warren.tsx";

const kept = (id: string, password: string | null, lastVisit: number): VisitedRoom => ({
  ...{ id, password, lastVisit, firstVisit: 0 },
  tag: `${id}-`.padEnd(43, "x"),
});
const [harbour, burrow] = [kept("harbour", "tidal", 2), kept("burrow", null, 1)];

let fake: FakeWarren;

beforeEach(() => {
  fake = fakeWarren();
  fake.setRoom(roomWith([fakePeer(1, "Mara Lindqvist")]));
  fake.setRooms([harbour, burrow]);
  fake.setChat({ room: harbour.tag });
});

afterEach(() => {
  cancelDialog();
  cleanup();
});

async function open() {
  const view = renderWithWarren(<PeopleListPane />, fake);
  await view.user.click(screen.getByRole("button", { name: /switch room/ }));
  await screen.findByRole("menuitem", { name: "New room" });
  return view;
}

it("lists the rooms that were visited, with their unread messages, and goes to another", async () => {
  fake.setChat({
    conversations: { [everyone]: { messages: [], unread: 0 }, [burrow.tag]: { messages: [], unread: 3 } },
  });
  const { user } = await open();
  const entries = screen.getAllByRole("menuitem").map(({ textContent }) => textContent);
  expect(entries.slice(0, 2)).toEqual(["harbour, the current room", "burrow3 unread messages3"]);
  await user.click(screen.getByRole("menuitem", { name: /^burrow/ }));
  await waitFor(() =>
    expect(fake.argsOf("updateProfile")).toContainEqual([{ roomId: "burrow", password: null }]),
  );
  expect(fake.calls.map(({ verb }) => verb)).toEqual(expect.arrayContaining(["leave", "join"]));
});

it("tells rooms of one name apart by their passwords", async () => {
  const named = (tag: string, password: string | null, firstVisit: number): VisitedRoom => ({
    ...kept("harbour", password, 10 - firstVisit),
    ...{ tag: tag.padEnd(43, "x"), firstVisit },
  });
  fake.setRooms([
    harbour,
    named("open", null, 1),
    named("second", "ebb", 2),
    named("third", "flood", 3),
    { ...named("own-title", "reef", 4), title: "Home" },
  ]);
  await open();
  const entries = screen.getAllByRole("menuitem").map(({ textContent }) => textContent);
  expect(entries.slice(0, 5)).toEqual([
    "harbour, with a password, the current room",
    "harbour, without a password",
    "harbour, with another password",
    "harbour, with password 3",
    "Home",
  ]);
});

it("asks before a call ends with the room", async () => {
  await fake.warren.call.open();
  fake.call.set({
    isAudioEnabled: true,
    remote: [remoteSource({ from: clientIdOf(1), kind: "microphone" })],
  });
  const { user } = await open();
  await user.click(screen.getByRole("menuitem", { name: /^burrow/ }));
  expect(await screen.findByText("You leave the call.")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Cancel" }));
  expect(fake.argsOf("leave")).toEqual([]);
});

it("forgets a room that we are not in, from the list of all", async () => {
  const { user } = await open();
  await user.click(screen.getByRole("menuitem", { name: "All rooms" }));
  await user.click(await screen.findByRole("button", { name: "Settings of burrow" }));
  await user.click(await screen.findByRole("button", { name: "Forget this room" }));
  expect(await screen.findByRole("dialog", { name: "Forget burrow?" })).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Forget" }));
  await waitFor(() => expect(fake.argsOf("forgetRoom")).toEqual([[burrow.tag]]));
  expect(fake.argsOf("leave")).toEqual([]);
  expect(fake.argsOf("updateProfile")).toEqual([]);
});

it("calls a room what the person calls it, and shows newcomers what was said if that is wanted", async () => {
  const { user } = await open();
  await user.click(screen.getByRole("menuitem", { name: "All rooms" }));
  await user.click(await screen.findByRole("button", { name: "Settings of burrow" }));
  await user.type(await screen.findByRole("textbox", { name: /What you call this room/ }), " Home ");
  await user.click(screen.getByRole("switch", { name: /Show newcomers the last 24 hours/ }));
  await user.click(screen.getByRole("button", { name: "Save" }));
  await waitFor(() =>
    expect(fake.argsOf("updateRoom")).toEqual([
      [
        { roomId: "burrow", password: null },
        { title: "Home", showsNewcomers: true },
      ],
    ]),
  );
  act(() => fake.setRooms([harbour, { ...burrow, title: "Home" }]));
  expect(await screen.findByRole("button", { name: /^Home/ })).toBeTruthy();
});

it("removes a member of a room after one question, keeps what was typed, and allows it again", async () => {
  const now = Date.now();
  fake.setChat({ contacts: { [clientIdOf(2)]: fakeContact(2, "Jun") } });
  fake.setMembers({
    [clientIdOf(2)]: { metAt: 0, lastSeen: now - 1_000 },
    [clientIdOf(1)]: { metAt: 0, lastSeen: now },
    [clientIdOf(3)]: { metAt: 0, lastSeen: now - 2_000, name: "Ivo" },
  });
  const { user } = await open();
  await user.click(screen.getByRole("menuitem", { name: "All rooms" }));
  await user.click(await screen.findByRole("button", { name: "Settings of harbour" }));
  await user.click(await screen.findByRole("button", { name: "Your own name for it" }));
  await user.type(await screen.findByRole("textbox", { name: /What you call this room/ }), "Home");
  await user.click(await screen.findByRole("button", { name: "Members · 4" }));
  const rows = () => screen.getAllByRole("listitem").map(({ textContent }) => textContent ?? "");
  const ofPeople = () => rows().filter((text) => /Mara|Jun|Ivo/.test(text));
  expect(ofPeople()).toEqual([
    expect.stringMatching(/Mara Lindqvist ?HereRemove$/),
    expect.stringMatching(/JunLast here .+Remove$/),
    expect.stringMatching(/IvoLast here .+Remove$/),
  ]);
  await user.click(screen.getByRole("button", { name: "Remove: Jun" }));
  expect(await screen.findByRole("dialog", { name: "Remove Jun from harbour?" })).toBeTruthy();
  expect(fake.argsOf("removeMember")).toEqual([]);
  await user.click(screen.getByRole("button", { name: "Remove" }));
  await waitFor(() => expect(fake.argsOf("removeMember")).toEqual([[harbour.tag, clientIdOf(2)]]));

  act(() => fake.setRooms([{ ...harbour, removed: [clientIdOf(2)] }, burrow]));
  expect(await screen.findByRole("button", { name: "Members · 3" })).toBeTruthy();
  expect(ofPeople().at(-1)).toMatch(/JunRemovedAllow again$/);
  expect(screen.getByRole<HTMLInputElement>("textbox", { name: /What you call this room/ }).value).toBe(
    "Home",
  );
  await user.click(screen.getByRole("button", { name: "Allow again: Jun" }));
  expect(fake.argsOf("allowMember")).toEqual([[harbour.tag, clientIdOf(2)]]);
  await user.click(screen.getByRole("button", { name: "Cancel" }));
  expect(await screen.findByRole("dialog", { name: "Your rooms" })).toBeTruthy();
});

it("changes the name or password of the room we are in, which leaves it for another", async () => {
  const { user } = await open();
  await user.keyboard("{Escape}");
  await user.click(screen.getByRole("button", { name: "Room menu" }));
  await user.click(screen.getByRole("menuitem", { name: "Settings of this room" }));
  const dialog = await screen.findByRole("dialog", { name: "Settings of harbour" });
  const name = within(dialog).getByRole("textbox", { name: "Room name" });
  await user.clear(name);
  await user.click(within(dialog).getByRole("button", { name: "Join room" }));
  expect(within(dialog).getByText("Enter the name of the room.")).toBeTruthy();
  await user.type(name, "quay");
  expect(within(dialog).getByText("You will leave harbour first.")).toBeTruthy();
  await user.click(within(dialog).getByRole("button", { name: "Join room" }));
  await waitFor(() =>
    expect(fake.argsOf("updateProfile")).toContainEqual([{ roomId: "quay", password: "tidal" }]),
  );
  expect(fake.calls.map(({ verb }) => verb)).toEqual(expect.arrayContaining(["leave", "join"]));
});

it("shares the room we are in from its settings, which come back with what was typed", async () => {
  const { user } = await open();
  await user.keyboard("{Escape}");
  await user.click(screen.getByRole("button", { name: "Room menu" }));
  await user.click(screen.getByRole("menuitem", { name: "Settings of this room" }));
  await user.click(await screen.findByRole("button", { name: "Your own name for it" }));
  await user.type(await screen.findByRole("textbox", { name: /What you call this room/ }), "Home");
  await user.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Share this room" }));
  await screen.findByRole("dialog", { name: "Share this room" });
  await user.keyboard("{Escape}");
  const field = await screen.findByRole<HTMLInputElement>("textbox", { name: /What you call this room/ });
  expect(field.value).toBe("Home");
});

it("names a room of two after the other one", async () => {
  fake.setRooms([{ ...harbour, metWith: clientIdOf(1) }]);
  await open();
  expect(screen.getByRole("menuitem", { name: /^Mara Lindqvist and you/ })).toBeTruthy();
});

it("forgets the room after one question that says what goes", async () => {
  const { user } = await open();
  await user.keyboard("{Escape}");
  await user.click(screen.getByRole("button", { name: "Room menu" }));
  await user.click(screen.getByRole("menuitem", { name: "Settings of this room" }));
  await user.click(await screen.findByRole("button", { name: "Forget this room" }));
  expect(await screen.findByText(/Its conversation, its password/)).toBeTruthy();
  expect(fake.argsOf("forgetRoom")).toEqual([]);
  await user.click(screen.getByRole("button", { name: "Forget" }));
  await waitFor(() => expect(fake.argsOf("forgetRoom")).toEqual([[harbour.tag]]));
  expect(fake.argsOf("leave")).toHaveLength(1);
  // Neither its name nor its password stays in the profile.
  expect(fake.argsOf("updateProfile")).toEqual([[{ roomId: "burrow", password: null }]]);
});
