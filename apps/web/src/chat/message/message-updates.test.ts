import type { ChatState } from "@warren/core";
import { describe, expect, test } from "vitest";
import { clientIdOf, fakeText } from "../../testing/fake-records.ts";
import { changedMessages, newMessages } from "./message-updates.ts";

const mara = clientIdOf(1);
const [first, second, third] = [1, 2, 3].map((at) => fakeText(mara, mara, `text ${at}`, at));
const stateWith = (...messages: readonly (typeof first)[]): ChatState => ({
  room: "",
  loaded: true,
  contacts: {},
  conversations: { [mara]: { messages: messages.filter((message) => message !== undefined), unread: 0 } },
  storageUsage: {},
  open: null,
  loadError: null,
  unsaved: 0,
});

describe("new messages", () => {
  test("are those appended", () => {
    expect(newMessages(stateWith(first), stateWith(first, second, third))).toEqual([second, third]);
  });

  test("include the first of a conversation", () => {
    expect(newMessages({ ...stateWith(), conversations: {} }, stateWith(first))).toEqual([first]);
  });

  test("are none if one is removed or changed", () => {
    expect(newMessages(stateWith(first, second), stateWith(first))).toEqual([]);
    expect(newMessages(stateWith(first, second), stateWith(second))).toEqual([]);
  });

  test("are none if history is loaded from storage", () => {
    expect(newMessages({ ...stateWith(), loaded: false, conversations: {} }, stateWith(first))).toEqual([]);
  });
});

describe("changed messages", () => {
  const edited = first && { ...first, data: "edited" };

  test("are none if some are added at the end", () => {
    expect(changedMessages(stateWith(first), stateWith(first, second, third))).toEqual([]);
  });

  test("are those that differ, wherever they are now", () => {
    expect(changedMessages(stateWith(first, second), stateWith(edited, second, third))).toEqual([
      [first, edited],
    ]);
    expect(changedMessages(stateWith(first), stateWith(third, second, edited))).toEqual([[first, edited]]);
  });
});
