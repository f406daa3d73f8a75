import { act, cleanup, screen } from "@testing-library/react";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { fakePeer, fakeText, me, roomWith } from "../../testing/fake-records.ts";
import { type FakeWarren, fakeWarren } from "../../testing/fake-warren.ts";
import { renderWithWarren } from "../../testing/render-with-warren.tsx";
import { loadAll } from "../../wiring/lazy.tsx";
import { ChatPage } from "./chat-page.tsx";

let fake: FakeWarren;

beforeAll(loadAll);
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
    expect(qrCode()).not.toBeNull();
    expect(screen.getByRole("button", { name: "Copy link" })).toBeTruthy();
    expect(screen.queryByRole("textbox", { name: "Message" })).toBeNull();
    see(fakePeer(1, "Mara"), fakePeer(2, "Jun"));
    expect(screen.getByRole("textbox", { name: "Message" })).toBeTruthy();
  },
);
