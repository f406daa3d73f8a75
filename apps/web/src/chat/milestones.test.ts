import type { ChatState, TransferState } from "@warren/core";
import { describe, expect, test } from "vitest";
import { fakeFile, fakeText, fakeTransfer } from "../testing/fake-records.ts";
import { milestoneOf, newMessages } from "./chat-news.tsx";

const mara = "mara";
const [first, second, third] = [1, 2, 3].map((at) => fakeText(mara, mara, `text ${at}`, at));
const stateWith = (...messages: readonly (typeof first)[]): ChatState => ({
  loaded: true,
  contacts: {},
  conversations: { [mara]: { messages: messages.filter((message) => message !== undefined), unread: 0 } },
  storageUsage: {},
  clipboards: {},
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

describe("a milestone of a transfer", () => {
  const file = fakeFile(mara, mara, { fileSize: 100 }, { status: "init" }, 1);
  const at = (transferredBytes: number, state: TransferState = { status: "transferring" }) =>
    fakeTransfer(file, mara, { transferredBytes, state });
  const failed = (code: "channel-error" | "transfer-declined"): TransferState => ({
    status: "error",
    error: { code, values: {} },
  });

  test.each([
    ["its start", undefined, at(0), { kind: "started" }],
    ["nothing between two quarters", at(26), at(49), null],
    ["a quarter", at(24), at(25), { kind: "progress", fraction: 0.25 }],
    ["the last of several quarters passed at once", at(10), at(80), { kind: "progress", fraction: 0.75 }],
    ["its end", at(99), at(100, { status: "complete", verified: true }), { kind: "complete" }],
    ["a failure", at(50), at(50, failed("channel-error")), { kind: "failed" }],
    ["no failure where someone decided", at(50), at(50, failed("transfer-declined")), null],
    ["nothing when it resumes", at(50, { status: "paused", by: "me" }), at(50), null],
    ["nothing when it is paused", at(50), at(50, { status: "paused", by: "me" }), null],
  ])("is %s", (_name, before, now, milestone) => {
    expect(milestoneOf(before, now)).toEqual(milestone);
  });
});
