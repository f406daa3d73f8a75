import { act, cleanup, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { clientIdOf, fakePeer, fakeText, me, roomWith } from "../testing/fake-records.ts";
import { type FakeWarren, fakeWarren } from "../testing/fake-warren.ts";
import { renderWithWarren } from "../testing/render-with-warren.tsx";
import { ConversationPane } from "./conversation-pane.tsx";
import { unreadMark } from "./use-unread-mark.ts";

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

test("counts the last received messages as new, not mine", () => {
  const messages = [mara, mara, me, mara].map((from, index) => fakeText(from, mara, "words", noon + index));
  expect(unreadMark({ messages, unread: 2 }, me)).toEqual({ firstKey: messages[1]?.key, count: 2 });
});

test("marks nothing if nothing is new", () => {
  expect(unreadMark({ messages: [fakeText(mara, mara, "words", noon)], unread: 0 }, me)).toBeNull();
  expect(unreadMark({ messages: [fakeText(me, mara, "words", noon)], unread: 3 }, me)).toBeNull();
});
