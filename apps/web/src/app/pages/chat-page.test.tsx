import { act, cleanup, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { RoomState } from "@warren/core";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { clientIdOf, fakePeer, fakeText, me, roomWith } from "../../testing/fake-records.ts";
import { type FakeWarren, fakeWarren } from "../../testing/fake-warren.ts";
import { renderWithWarren } from "../../testing/render-with-warren.tsx";
import { preloadAll } from "../../wiring/lazy-with-preload.ts";
import { ChatPage } from "./chat-page.tsx";

let fake: FakeWarren;

beforeAll(preloadAll);
beforeEach(() => {
  fake = fakeWarren();
});
afterEach(cleanup);

const show = (path = "/") => renderWithWarren(<ChatPage />, fake, { path });
const see = (...peers: Parameters<typeof roomWith>[0]): void => act(() => fake.setRoom(roomWith(peers)));
const withMara = () => screen.queryByRole("region", { name: "Conversation with Mara" });
const withEveryone = () => screen.queryByRole("region", { name: "Conversation with everyone" });
const qrCode = () => screen.queryByRole("img", { name: /QR/ });

it("opens the conversation with the first peer to arrive", () => {
  show();
  expect(qrCode()).not.toBeNull();
  see(fakePeer(1, "Mara"));
  expect(withMara()).not.toBeNull();
});

it("goes on to what the first peer wrote to everyone before we came, once it arrives", async () => {
  show();
  see(fakePeer(1, "Mara"));
  const mara = clientIdOf(1);
  expect(withMara()).not.toBeNull();
  act(() => fake.addMessage(fakeText(mara, "everyone", "The password is x", 1, { earlierBy: mara })));
  expect(withEveryone()).not.toBeNull();
  const people = within(screen.getByRole("navigation", { name: "People" }));
  await userEvent.click(people.getAllByRole("link", { name: /Mara/ }).at(-1) ?? expect.fail());
  expect(withMara()).not.toBeNull();
});

it("stays in a conversation that has begun when something from before we came arrives", () => {
  show();
  see(fakePeer(1, "Mara"));
  const mara = clientIdOf(1);
  act(() => fake.addMessage(fakeText(mara, mara, "Hello", 1)));
  act(() => fake.addMessage(fakeText(mara, "everyone", "The password is x", 1, { earlierBy: mara })));
  expect(withMara()).not.toBeNull();
});

it("waits until a picker or a dialog has closed", () => {
  show();
  const end = fake.tab.busy.begin();
  see(fakePeer(1, "Mara"));
  expect(withMara()).toBeNull();
  act(end);
  expect(withMara()).not.toBeNull();
});

describe("while joining a room", () => {
  const meeting = { session: "connecting", ready: false, profile: null } as const;
  const form = () => screen.queryByRole("textbox", { name: "Your name" });

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("shows nothing in place of the conversation until a peer connects", () => {
    act(() => fake.setRoom({ status: "connecting", roomId: "harbour", isWaiting: false }));
    show();
    expect(form()).toBeNull();
    see(fakePeer(1, "Mara", meeting), fakePeer(2, "Jun", meeting));
    expect(withEveryone()).toBeNull();
    see(fakePeer(1, "Mara", { ...meeting, session: "connected" }), fakePeer(2, "Jun", meeting));
    expect(withEveryone()).toBeNull();
    see(fakePeer(1, "Mara"), fakePeer(2, "Jun", meeting));
    expect(withEveryone()).not.toBeNull();
  });

  it("waits a second at most", () => {
    act(() => fake.setRoom({ status: "connecting", roomId: "harbour", isWaiting: false }));
    show();
    act(() => vi.advanceTimersByTime(1_000));
    expect(form()).not.toBeNull();
    see(fakePeer(1, "Mara", meeting));
    expect(withEveryone()).toBeNull();
    act(() => vi.advanceTimersByTime(1_000));
    expect(withEveryone()).not.toBeNull();
  });

  it("keeps the form after Join or while waiting for approval, and the room when joined by another way", () => {
    show();
    act(() => fake.setRoom({ status: "disconnected", error: null }));
    act(() => fake.setRoom({ status: "connecting", roomId: "harbour", isWaiting: false }));
    expect(form()).not.toBeNull();
    see();
    expect(qrCode()).not.toBeNull();
    see(fakePeer(1, "Mara", meeting));
    expect(withEveryone()).not.toBeNull();
    cleanup();
    act(() => fake.setRoom({ status: "connecting", roomId: "harbour", isWaiting: true }));
    show();
    expect(form()).not.toBeNull();
  });
});

it("keeps the conversation of someone writing to everyone when the others leave", () => {
  see(fakePeer(1, "Mara"), fakePeer(2, "Jun"));
  show();
  expect(withEveryone()).not.toBeNull();
  act(() => fake.tab.drafts.change("everyone", { text: "wait for" }));
  see();
  expect(screen.getByRole("textbox", { name: "Message" })).toHaveProperty("value", "wait for");
  see(fakePeer(1, "Mara"));
  expect(withEveryone()).not.toBeNull();
  expect(withMara()).toBeNull();
});

it.each(["/", "/client/everyone/chat"])(
  "shows link and code to a returning user who is alone, at %s",
  (path) => {
    fake.setChat({
      conversations: { everyone: { messages: [fakeText(me, "everyone", "Morning", 1)], unread: 0 } },
    });
    show(path);
    expect(withEveryone()).not.toBeNull();
    expect(qrCode()).toBeNull();
    expect(screen.getByRole("button", { name: "Copy link" })).toBeTruthy();
    expect(screen.getByRole("textbox", { name: "Message" })).toBeTruthy();
    see(fakePeer(1, "Mara"), fakePeer(2, "Jun"));
    expect(screen.getByRole("textbox", { name: "Message" })).toBeTruthy();
    expect(screen.queryByRole("button", { name: "Copy link" })).toBeNull();
  },
);

describe("who is alone in a room", () => {
  const notice = () =>
    screen.findByText(/^Sent when|allow them again|Nobody else is here/, { selector: "p" });

  it.each(["/", "/client/everyone/chat"])("writes below the invitation, at %s", async (path) => {
    show(path);
    expect(qrCode()).not.toBeNull();
    expect((await notice()).textContent).toContain("Sent when somebody joins");
    await userEvent.type(screen.getByRole("textbox", { name: "Message" }), "The password is x");
    expect(qrCode()).not.toBeNull();
    await userEvent.click(screen.getByRole("button", { name: "Send" }));
    expect(fake.argsOf("sendText")).toEqual([["everyone", "The password is x"]]);
    act(() =>
      fake.addMessage(fakeText(me, "everyone", "The password is x", 1, { deliveries: {}, entry: 1 })),
    );
    expect(qrCode()).toBeNull();
    expect(withEveryone()).not.toBeNull();
    expect(screen.getByText("not delivered yet")).toBeTruthy();
  });

  it("is told that newcomers do not get what waits for those who were here, what they see of it, or that all were removed", async () => {
    fake.setMembers({ [clientIdOf(1)]: { metAt: 1, lastSeen: 1 } });
    show();
    expect((await notice()).textContent).toContain("Newcomers do not");
    cleanup();
    const { room: tag } = fake.warren.chat.store.getState();
    const visited = { tag, id: "harbour", password: null, firstVisit: 1, lastVisit: 1 };
    fake.setRooms([{ ...visited, showsNewcomers: true }]);
    show();
    expect((await notice()).textContent).toContain("Newcomers see the last 24 hours");
    cleanup();
    fake.setRooms([{ ...visited, removed: [clientIdOf(1)] }]);
    show();
    expect((await notice()).textContent).toContain("only once you allow them again");
  });

  it("is not told that anybody gets it where no log keeps it", async () => {
    fake.setRoomLog(false);
    show();
    expect((await notice()).textContent).not.toContain("Sent when");
  });
});

describe("on a phone, the first one met", () => {
  const tag = "h".repeat(43);
  const mara = clientIdOf(1);
  const jun = clientIdOf(2);
  const said = (from: string, conversation: string, unread = 0) => ({
    [conversation]: { messages: [fakeText(from, conversation, "Morning", 1)], unread },
  });
  const met = (id: string, metAt: number) => ({ [id]: { metAt, lastSeen: metAt } });
  const join = (firstVisit: number, ...peers: Parameters<typeof roomWith>[0]) => {
    fake.setRooms([{ id: "harbour", tag, password: null, firstVisit, lastVisit: 200 }]);
    act(() => fake.setRoom({ ...roomWith([]), joinedAt: 200 } as RoomState));
    show();
    return act(async () => fake.setRoom({ ...roomWith(peers), joinedAt: 200 } as RoomState));
  };

  beforeEach(() => {
    vi.spyOn(window, "matchMedia").mockImplementation(
      (query) =>
        ({
          matches: query.includes("<"),
          addEventListener() {},
          removeEventListener() {},
        }) as unknown as MediaQueryList,
    );
    fake.setChat({ room: tag, loaded: true, conversations: {} });
  });
  afterEach(() => vi.restoreAllMocks());

  it.each([
    ["in a new room", 200, {}, {}, "Mara"],
    ["in a room where only we were", 100, {}, met(mara, 200), "Mara"],
    ["in a room where somebody was met", 100, {}, met(jun, 100), "everyone"],
    ["after something was said to everyone", 100, said(jun, "everyone"), {}, "everyone"],
    ["after something was said only with that one", 100, said(mara, mara), met(mara, 100), "Mara"],
    [
      "after both, which that one has something unread of",
      100,
      { ...said(jun, "everyone"), ...said(mara, mara, 1) },
      {},
      "Mara",
    ],
    [
      "with something unread of both",
      100,
      { ...said(jun, "everyone", 1), ...said(mara, mara, 1) },
      {},
      "everyone",
    ],
  ])("%s opens the conversation to go on with", async (_where, firstVisit, conversations, members, name) => {
    fake.setChat({ conversations });
    fake.setMembers(members);
    await join(firstVisit, fakePeer(1, "Mara"));
    expect(screen.getByRole("region", { name: `Conversation with ${name}` })).toBeTruthy();
  });

  it("among several opens the conversation with everyone, once", async () => {
    await join(200, fakePeer(1, "Mara"), fakePeer(2, "Jun"));
    expect(withEveryone()).not.toBeNull();
    await userEvent.click(screen.getByRole("link", { name: /^Back/ }));
    expect(withEveryone()).toBeNull();
    for (const peers of [[], [fakePeer(3, "Kim")]])
      await act(async () => fake.setRoom({ ...roomWith(peers), joinedAt: 200 } as RoomState));
    expect(screen.queryByRole("region", { name: /^Conversation/ })).toBeNull();
  });

  it("while everyone is being written to leads back to that", async () => {
    fake.tab.drafts.change("everyone", { text: "wait for" });
    await join(100, fakePeer(1, "Mara"));
    expect(withEveryone()).not.toBeNull();
  });

  it("waits for what is stored before it goes on with a conversation", async () => {
    fake.setChat({ loaded: false });
    await join(100, fakePeer(1, "Mara"));
    expect([withEveryone(), withMara()]).toEqual([null, null]);
    await act(async () => fake.setChat({ loaded: true, conversations: said(jun, "everyone") }));
    expect(withEveryone()).not.toBeNull();
  });
});
