import { act, cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { type ChatMessage, everyone } from "@warren/core";
import { afterEach, expect, test, vi } from "vitest";
import { clientIdOf, fakeContact, fakePeer, fakeText, roomWith } from "../../testing/fake-records.ts";
import { fakeWarren } from "../../testing/fake-warren.ts";
import { renderWithWarren } from "../../testing/render-with-warren.tsx";
import ConversationPane from "../conversation-pane.tsx";

const mara = clientIdOf(1);

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

test("a log that fits into the window stops scrolling soon after a longer one", async () => {
  const fake = fakeWarren();
  fake.setRoom(roomWith([fakePeer(1, "Mara Lindqvist")]));
  fake.addMessage(fakeText(mara, mara, "Rushes are copied", 1));
  renderWithWarren(<ConversationPane conversationId={mara} />, fake);
  const frames = vi.spyOn(window, "requestAnimationFrame");
  act(() => fake.addMessage(fakeText(mara, mara, "All of them", 2)));
  // It requests frames while looking for the end, and gives up after five seconds.
  await waitFor(() => expect(frames).toHaveBeenCalled());
  const askedFor100Ms = async () => {
    const before = frames.mock.calls.length;
    await new Promise((resolve) => setTimeout(resolve, 100));
    return frames.mock.calls.length - before;
  };
  await waitFor(async () => expect(await askedFor100Ms()).toBe(0), { timeout: 4_000 });
});

test("renders nothing while React is at work on the log", () => {
  const complaints = vi.spyOn(console, "error");
  const fake = fakeWarren();
  fake.setRoom(roomWith([fakePeer(1, "Mara Lindqvist")]));
  fake.addMessage(fakeText(mara, mara, "Rushes are copied", 1));
  renderWithWarren(<ConversationPane conversationId={mara} />, fake);
  act(() => fake.addMessage(fakeText(mara, mara, "All of them", 2)));
  expect(complaints).not.toHaveBeenCalled();
});

test("who came today stands below the day, and above the first message of it", async () => {
  const fake = fakeWarren();
  fake.setRoom(roomWith([]));
  renderWithWarren(<ConversationPane conversationId={everyone} />, fake);
  await act(async () => {});
  act(() => fake.setRoom(roomWith([fakePeer(1, "Mara Lindqvist")])));
  act(() => fake.addMessage(fakeText(mara, everyone, "Rushes are copied", Date.now() + 1_000)));
  const came = await screen.findByText("Mara joined");
  const isBefore = (a: Node, b: Node) =>
    (a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
  expect(isBefore(screen.getByText("Today"), came)).toBe(true);
  expect(isBefore(came, screen.getByText("Rushes are copied"))).toBe(true);
});

test("the day and the new messages that begin with it share one line", () => {
  const fake = fakeWarren();
  fake.setRoom(roomWith([fakePeer(1, "Mara Lindqvist")]));
  const now = Date.now();
  const messages = [now, now + 1].map((at) => fakeText(mara, mara, `text ${at}`, at));
  fake.setChat({ conversations: { [mara]: { messages, unread: 2 } } });
  renderWithWarren(<ConversationPane conversationId={mara} />, fake);
  expect(screen.getByText("Today · 2 new")).toBeTruthy();
  expect(screen.queryByText("2 new")).toBeNull();
});

test("leads back to the first new message after a jump over all of them", async () => {
  const fake = fakeWarren();
  fake.setRoom(roomWith([fakePeer(1, "Mara Lindqvist")]));
  const messages = [1, 2, 3, 4].map((at) => fakeText(mara, mara, `text ${at}`, at));
  fake.setChat({ conversations: { [mara]: { messages, unread: 3 } } });
  const { user } = renderWithWarren(<ConversationPane conversationId={mara} />, fake);
  const log = screen.getByRole("log");
  for (const [name, value] of Object.entries({ scrollHeight: 5_000, clientHeight: 500 }))
    Object.defineProperty(log, name, { configurable: true, value });
  expect(screen.queryByRole("button", { name: "Jump to the first new message" })).toBeNull();
  log.scrollTop = 100;
  fireEvent.scroll(log);
  await user.click(screen.getByRole("button", { name: "Jump to the latest message" }));
  await user.click(screen.getByRole("button", { name: "Jump to the first new message" }));
  await waitFor(() => expect(document.activeElement?.textContent).toContain("text 2"));
  expect(screen.queryByRole("button", { name: "Jump to the first new message" })).toBeNull();
});

test("requests earlier messages when the reader is near the first loaded one", async () => {
  const fake = fakeWarren();
  fake.setRoom(roomWith([fakePeer(1, "Mara Lindqvist")]));
  const messages = [1, 2, 3].map((at) => fakeText(mara, mara, `text ${at}`, at));
  const gaps = [{ from: Number.NEGATIVE_INFINITY, before: 2 }];
  fake.setChat({ conversations: { [mara]: { messages, unread: 0, gaps } } });
  renderWithWarren(<ConversationPane conversationId={mara} />, fake);
  await waitFor(() => expect(fake.argsOf("loadAround")[0]).toEqual([mara, 2]));
  expect(screen.queryByText("text 1")).toBeNull();
  act(() => fake.setChat({ conversations: { [mara]: { messages, unread: 0 } } }));
  expect(screen.getByText("text 1")).toBeTruthy();
});

test("requests only the first messages on Home, and no arrow key skips messages that are not loaded", async () => {
  const fake = fakeWarren();
  fake.setRoom(roomWith([fakePeer(1, "Mara Lindqvist")]));
  const [first, last] = [fakeText(mara, mara, "the first", 1), fakeText(mara, mara, "the last", 9)];
  const show = (messages: readonly ChatMessage[], from: number) =>
    fake.setChat({ conversations: { [mara]: { messages, unread: 0, gaps: [{ from, before: 9 }] } } });
  show([last], Number.NEGATIVE_INFINITY);
  const { user } = renderWithWarren(<ConversationPane conversationId={mara} />, fake);
  const rowOf = (text: string) => screen.getByText(text).closest("article");
  act(() => rowOf("the last")?.focus());
  await user.keyboard("{Home}");
  expect(fake.argsOf("loadAround")).toContainEqual([mara, Number.NEGATIVE_INFINITY]);
  act(() => show([first, last], 2));
  await waitFor(() => expect(document.activeElement).toBe(rowOf("the first")));
  expect(screen.getByText("Loading messages")).toBeTruthy();
  await user.keyboard("{ArrowDown}");
  expect(document.activeElement).toBe(rowOf("the first"));
  await user.keyboard("{End}");
  expect(document.activeElement).toBe(rowOf("the last"));
});

test("shows what was refused from a peer until they are verified", () => {
  const fake = fakeWarren();
  fake.setRoom(roomWith([fakePeer(1, "Mara Lindqvist")]));
  fake.addMessage(fakeText(mara, mara, "too much", 1));
  fake.setChat({ storageUsage: { [mara]: { bytes: 1, roomBytes: 0, refusedIn: [mara] } } });
  renderWithWarren(<ConversationPane conversationId={mara} />, fake);
  expect(screen.getByText(/^Messages from Mara Lindqvist are full/)).toBeTruthy();
  act(() =>
    fake.setChat({ contacts: { [mara]: fakeContact(1, "Mara Lindqvist", { trustLevel: "verified" }) } }),
  );
  expect(screen.queryByText(/are full/)).toBeNull();
});

test("appends an id to a peer with the name of a known contact", () => {
  const fake = fakeWarren();
  const noor = clientIdOf(2);
  fake.setRoom(roomWith([fakePeer(2, "Маrа Lindqvist")]));
  const known = { ...fakeContact(1, "Mara Lindqvist"), createdAt: 1 };
  const other = { ...fakeContact(2, "Маrа Lindqvist"), createdAt: 2 };
  fake.setChat({ contacts: { [mara]: known, [noor]: other } });
  fake.addMessage(fakeText(noor, "everyone", "It is me", 1));
  renderWithWarren(<ConversationPane conversationId="everyone" />, fake);
  expect(screen.getByText(`Маrа Lindqvist · ${noor.slice(0, 4)}`)).toBeDefined();
});

test("isolates a link from bidirectional controls before it", () => {
  const fake = fakeWarren();
  fake.setRoom(roomWith([fakePeer(1, "Mara Lindqvist")]));
  fake.addMessage(fakeText(mara, mara, "\u202Ehttps://example.org/a\u202Egnp", 1));
  renderWithWarren(<ConversationPane conversationId={mara} />, fake);
  const link = screen.getByRole("link", { name: "https://example.org/a" });
  expect([link.getAttribute("href"), link.getAttribute("dir")]).toEqual(["https://example.org/a", "ltr"]);
});
