import { compareFiles, type TransferSnapshot, transferKeyOf } from "@warren/core";
import { describe, expect, test } from "vitest";
import { clientIdOf, fakeStoredFile } from "../testing/fake-records.ts";
import { inOrder, isInFilter, isMissing, type SyncContext, syncRows, syncWork } from "./sync-rows.ts";

const mara = clientIdOf(1);
const theirs = fakeStoredFile({ fid: "file-theirs", fileName: "b.mov", fileSize: 1_000 }).description;
const mine = fakeStoredFile({ fid: "file-mine", fileName: "a.psd", fileSize: 400 });
const nothing: SyncContext = {
  peerId: mara,
  transfers: {},
  listing: { waiting: [], refused: {} },
  offered: new Map(),
  outcomes: new Map(),
};

const rowsWith = (around: Partial<SyncContext>) =>
  syncRows(compareFiles([theirs], [mine]), { ...nothing, ...around });

function transferOf(fid: string, change: Partial<TransferSnapshot>) {
  const key = transferKeyOf(mara, fid);
  const transfer: TransferSnapshot = {
    key,
    peerId: mara,
    fid,
    mode: "receive",
    fileName: "",
    totalBytes: 1_000,
    transferredBytes: 450,
    bytesPerSecond: null,
    secondsLeft: null,
    state: { status: "transferring" },
    mergingProgress: null,
    startedAt: 0,
    ...change,
  };
  return { [key]: transfer };
}

describe("a row", () => {
  test("is fetched or sent, depending on which side has the file", () => {
    expect(rowsWith({}).map(({ verdict, action }) => [verdict, action])).toEqual([
      ["new", "fetch"],
      ["only-mine", "send"],
    ]);
  });

  test("can be stopped but not started again while it is moving, queued or offered", () => {
    const moving = rowsWith({ transfers: transferOf(theirs.fid, {}) })[0];
    expect(moving).toMatchObject({
      action: null,
      progress: { kind: "moving", mode: "receive", fraction: 0.45 },
    });
    const opening = rowsWith({ transfers: transferOf(theirs.fid, { state: { status: "init" } }) })[0];
    expect(opening).toMatchObject({ action: null, progress: { kind: "moving" } });
    const queued = rowsWith({ listing: { waiting: [theirs.fid], refused: {} } })[0];
    expect(queued).toMatchObject({ action: null, progress: { kind: "queued" } });
    for (const kind of ["offered", "queued"] as const) {
      const offered = rowsWith({ offered: new Map([[mine.description.fid, kind]]) })[1];
      expect(offered).toMatchObject({ action: null, progress: { kind } });
    }
  });

  test("shows why it failed and can be retried; a cancelled one shows nothing", () => {
    const error = { code: "storage-full", values: {} } as const;
    const failed = rowsWith({ transfers: transferOf(theirs.fid, { state: { status: "error", error } }) })[0];
    expect(failed).toMatchObject({ action: "fetch", progress: { kind: "failed", error } });
    const refused = rowsWith({ listing: { waiting: [], refused: { [theirs.fid]: error } } })[0];
    expect(refused?.progress).toEqual({ kind: "failed", error });
    const cancelled = { code: "transfer-cancelled", values: {} } as const;
    const given = rowsWith({
      transfers: transferOf(theirs.fid, { state: { status: "error", error: cancelled } }),
    });
    expect(given[0]?.progress).toBeNull();
  });

  test("shows the progress of a partial file, and counts only its missing bytes", () => {
    const part = fakeStoredFile({ ...theirs }, { state: "incomplete", storedBytes: 250 });
    const rows = syncRows(compareFiles([theirs], [part]), nothing);
    expect(rows[0]).toMatchObject({ action: "fetch", progress: { kind: "stopped", fraction: 0.25 } });
    expect(syncWork(rows)).toMatchObject({ fetchBytes: 750, totalBytes: 750, send: [] });
  });

  test.each([
    ["sent", { isMine: true, outcome: "complete" }],
    ["declined", { isMine: false, outcome: "declined" }],
    ["cancelled", { isMine: false, outcome: "cancelled" }],
  ] as const)("is not new if I %s it before, and is fetched only when selected", (verdict, before) => {
    const row = rowsWith({ outcomes: new Map([[theirs.fid, before]]) })[0] ?? expect.fail();
    expect(row).toMatchObject({ verdict, action: "fetch" });
    expect([isInFilter(row, "new"), isInFilter(row, "set-aside"), isMissing(row)]).toEqual([
      false,
      true,
      false,
    ]);
  });

  test("is still new if its sender cancelled it, or if it failed", () => {
    for (const outcome of ["cancelledThere", "failed"] as const) {
      const row = rowsWith({ outcomes: new Map([[theirs.fid, { isMine: false, outcome }]]) })[0];
      expect(row).toMatchObject({ verdict: "new", action: "fetch" });
      expect(row && isMissing(row)).toBe(true);
    }
  });

  test("has no action if both sides are the same, whatever happened before", () => {
    const own = fakeStoredFile({ ...theirs });
    const state = { status: "complete", verified: true } as const;
    const rows = syncRows(compareFiles([theirs], [own]), {
      ...nothing,
      transfers: transferOf(theirs.fid, { state }),
    });
    expect(rows[0]).toMatchObject({ verdict: "same", action: null, progress: null });
  });
});

test("rows are filtered by their verdict, and sorted", () => {
  const rows = rowsWith({});
  expect(rows.map((row) => isInFilter(row, "new"))).toEqual([true, false]);
  expect(rows.map((row) => isInFilter(row, "only-mine"))).toEqual([false, true]);
  expect(rows.every((row) => isInFilter(row, "all"))).toBe(true);
  const names = (order: Parameters<typeof inOrder>[1]) =>
    inOrder(rows, order).map(({ file }) => file.fileName);
  expect(names("missing")).toEqual(["b.mov", "a.psd"]);
  expect(names("name")).toEqual(["a.psd", "b.mov"]);
  expect(names("size")).toEqual(["b.mov", "a.psd"]);
});

test("digits in names are sorted as numbers", () => {
  const shared = ["reel 10", "reel 2", "reel 1"].map((fileName) => fakeStoredFile({ fileName }).description);
  const rows = syncRows(compareFiles(shared, []), nothing);
  for (const order of ["missing", "name"] as const) {
    expect(inOrder(rows, order).map(({ file }) => file.fileName)).toEqual(["reel 1", "reel 2", "reel 10"]);
  }
});

test("the actions of a selection are summed up by direction", () => {
  expect(syncWork(rowsWith({}))).toMatchObject({
    fetch: [{ verdict: "new" }],
    send: [{ verdict: "only-mine" }],
    fetchBytes: 1_000,
    totalBytes: 1_400,
  });
});
