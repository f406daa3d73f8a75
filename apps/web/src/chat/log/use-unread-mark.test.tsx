import { act, cleanup, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { clientIdOf, fakePeer, fakeText, me, roomWith } from "../../testing/fake-records.ts";
import { type FakeWarren, fakeWarren } from "../../testing/fake-warren.ts";
import { renderWithWarren } from "../../testing/render-with-warren.tsx";
import ConversationPane from "../conversation-pane.tsx";

const mara = clientIdOf(1);
const noon = new Date(2026, 10, 19, 12, 0).getTime();

afterEach(cleanup);

function withMara(): FakeWarren {
  const fake = fakeWarren();
  fake.setRoom(roomWith([fakePeer(1, "Mara Lindqvist")]));
  return fake;
}

test("marks the first message as read if the conversation is already visible", () => {
  const fake = withMara();
  renderWithWarren(<ConversationPane conversationId={mara} />, fake);
  expect(fake.argsOf("open").at(-1)).toEqual([mara]);
  act(() => fake.addMessage(fakeText(mara, mara, "alpha", noon)));
  act(() => fake.addMessage(fakeText(mara, mara, "beta", noon)));
  expect(screen.getAllByRole("article")).toHaveLength(2);
  expect(screen.queryByText(/ new$/)).toBeNull();
});

test("shows what was new if history is loaded after the conversation opened", () => {
  const fake = withMara();
  fake.setChat({ loaded: false });
  renderWithWarren(<ConversationPane conversationId={mara} />, fake);
  expect(fake.argsOf("open")).toEqual([]);
  const messages = [fakeText(mara, mara, "alpha", noon), fakeText(mara, mara, "beta", noon)];
  act(() => fake.setChat({ loaded: true, conversations: { [mara]: { messages, unread: 1 } } }));
  expect(screen.getByText("1 new")).toBeTruthy();
  expect(fake.argsOf("open").at(-1)).toEqual([mara]);
});

function openWith(unread: number, ...senders: readonly string[]): void {
  const fake = withMara();
  const messages = senders.map((from, index) => fakeText(from, mara, `text ${index}`, noon + index));
  fake.setChat({ conversations: { [mara]: { messages, unread } } });
  renderWithWarren(<ConversationPane conversationId={mara} />, fake);
}

test("counts the last received messages as new, not mine", () => {
  openWith(2, mara, mara, me, mara);
  const firstNew = screen.getByText("2 new").parentElement;
  expect(firstNew?.textContent).toContain("text 1");
});

test("marks nothing if nothing is new, or nothing was received", () => {
  openWith(0, mara);
  expect(screen.queryByText(/ new$/)).toBeNull();
  cleanup();
  openWith(3, me);
  expect(screen.queryByText(/ new$/)).toBeNull();
});
