import { type FileMessage, type TransferSnapshots, transferKeyOf } from "@warren/core";
import { describe, expect, test } from "vitest";
import { fakeFile, fakeTransfer, me } from "../../testing/fake-records.ts";
import { transferRows, transferSpeeds } from "./transfer-rows.ts";

const mara = "mara";
const none = { cleared: new Set<string>(), earlier: new Set<string>() };

function stateOf(messages: readonly FileMessage[]) {
  return { conversations: { [mara]: { messages, unread: 0 } } };
}

function moved(...messages: readonly FileMessage[]): TransferSnapshots {
  return Object.fromEntries(
    messages.map((message) => [transferKeyOf(mara, message.file.fid), fakeTransfer(message, mara)]),
  );
}

describe("the tray", () => {
  test("lists active files, including those from before a reload, apart from completed ones", () => {
    const moving = fakeFile(mara, mara, { fid: "moving" }, { status: "transferring" }, 1);
    const waiting = fakeFile(me, mara, { fid: "waiting" }, { status: "paused", by: "source" }, 2);
    const done = fakeFile(mara, mara, { fid: "done" }, { status: "complete", verified: true }, 3);
    const rows = transferRows(stateOf([moving, waiting, done]), moved(moving, done), none);
    expect(rows).toEqual({ open: [moving, waiting], done: [done] });
  });

  test("shows moving files first, then queued ones, then stalled ones by time", () => {
    const queued = { status: "paused", by: "queue" } as const;
    const moving = fakeFile(mara, mara, { fid: "moving" }, { status: "transferring" }, 1);
    const next = fakeFile(mara, mara, { fid: "next" }, queued, 2);
    const later = fakeFile(mara, mara, { fid: "later" }, queued, 3);
    const stopped = fakeFile(mara, mara, { fid: "stopped" }, { status: "paused", by: "me" }, 4);
    const lost = fakeFile(mara, mara, { fid: "lost" }, { status: "paused", by: "absence" }, 5);
    const { open } = transferRows(stateOf([stopped, later, lost, moving, next]), {}, none);
    expect(open.map(({ file }) => file.fid)).toEqual(["moving", "next", "later", "lost", "stopped"]);
  });

  test("lists a failed file only if it moved in this tab, among the stalled ones by time", () => {
    const error = { status: "error", error: { code: "channel-error", values: {} } } as const;
    const stopped = fakeFile(mara, mara, { fid: "stopped" }, { status: "paused", by: "me" }, 1);
    const failed = fakeFile(mara, mara, { fid: "failed" }, error, 2);
    const before = fakeFile(mara, mara, { fid: "before" }, error, 3);
    const { open } = transferRows(stateOf([stopped, failed, before]), moved(failed), none);
    expect(open).toEqual([failed, stopped]);
  });

  test("omits unanswered offers, transfers that ended before the tab opened, and cleared ones", () => {
    const offer = fakeFile(mara, mara, { fid: "offer" }, { status: "init" }, 1);
    const old = fakeFile(mara, mara, { fid: "old" }, { status: "complete", verified: true }, 2);
    const cleared = fakeFile(mara, mara, { fid: "cleared" }, { status: "complete", verified: true }, 3);
    const marks = { ...none, cleared: new Set([cleared.key]) };
    const rows = transferRows(stateOf([offer, old, cleared]), moved(cleared), marks);
    expect(rows).toEqual({ open: [], done: [] });
  });

  test("lists transfers completed before a reload, unless their message is gone or they were cleared", () => {
    const [kept, cleared] = ["kept", "cleared"].map((fid, at) =>
      fakeFile(mara, mara, { fid }, { status: "complete", verified: true }, at),
    ) as [FileMessage, FileMessage];
    const earlier = new Set([kept.key, cleared.key, "gone/1"]);
    const marks = { cleared: new Set([cleared.key]), earlier };
    expect(transferRows(stateOf([kept, cleared]), {}, marks)).toEqual({ open: [], done: [kept] });
  });

  test("sums up the speeds of active transfers by direction", () => {
    const [a, b, c] = ["a", "b", "c"].map((fid, at) =>
      fakeFile(mara, mara, { fid }, { status: "transferring" }, at),
    ) as [FileMessage, FileMessage, FileMessage];
    const state = { status: "transferring" } as const;
    const each = (message: FileMessage, change: object) => fakeTransfer(message, mara, { state, ...change });
    const totals = transferSpeeds({
      [transferKeyOf(mara, "a")]: each(a, {
        totalBytes: 100,
        transferredBytes: 50,
        bytesPerSecond: 7,
        mode: "send",
      }),
      [transferKeyOf(mara, "b")]: each(b, {
        totalBytes: 300,
        transferredBytes: 50,
        bytesPerSecond: 5,
        mode: "send",
      }),
      [transferKeyOf(mara, "c")]: fakeTransfer(c, mara, { state: { status: "paused", by: "me" } }),
    });
    expect(totals).toEqual({ receivedPerSecond: null, sentPerSecond: 12 });
  });
});
