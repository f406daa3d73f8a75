import { compareFiles, type TransferSnapshot, type TransferState, transferKeyOf } from "@warren/core";
import type { ErrorCode } from "@warren/protocol";
import { describe, expect, test } from "vitest";
import { clientIdOf, fakeFile, fakeStoredFile, me } from "../testing/fake-records.ts";
import {
  type ComparisonContext,
  comparisonRows,
  comparisonWork,
  inOrder,
  isInFilter,
  isMissing,
} from "./comparison-rows.ts";

const mara = clientIdOf(1);
const theirs = fakeStoredFile({ fid: "file-theirs", fileName: "b.mov", fileSize: 1_000 }).description;
const mine = fakeStoredFile({ fid: "file-mine", fileName: "a.psd", fileSize: 400 });
const nothing: ComparisonContext = {
  peerId: mara,
  live: { transfers: new Map(), here: new Set([mara]) },
  listing: { waiting: [], refused: new Map() },
  offers: new Map(),
};

const rowsWith = (around: Partial<ComparisonContext>) =>
  comparisonRows(compareFiles([theirs], [mine]), { ...nothing, ...around });

/** An offer between us with its state. */
const offered = (from: string, fid: string, state: TransferState): Partial<ComparisonContext> => ({
  offers: new Map([[fid, fakeFile(from, mara, { fid }, state, 0)]]),
});
const failure = (code: ErrorCode) => ({ state: "failed", error: { code, values: {} } }) as const;

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
    now: { state: "running" },
    isSilent: false,
    mergingProgress: null,
    startedAt: 0,
    ...change,
  };
  return { live: { ...nothing.live, transfers: new Map([[key, transfer]]) } };
}

describe("a row", () => {
  test("is fetched or sent, depending on which side has the file", () => {
    expect(rowsWith({}).map(({ verdict, action }) => [verdict, action])).toEqual([
      ["new", "fetch"],
      ["only-mine", "send"],
    ]);
  });

  test("can be stopped but not started again while it is moving, queued or offered", () => {
    const moving = rowsWith(transferOf(theirs.fid, {}))[0];
    expect(moving).toMatchObject({
      action: null,
      progress: { kind: "moving", mode: "receive", fraction: 0.45 },
    });
    const opening = rowsWith(transferOf(theirs.fid, { now: { state: "opening" } }))[0];
    expect(opening).toMatchObject({ action: null, progress: { kind: "moving" } });
    const queued = rowsWith({ listing: { waiting: [theirs], refused: new Map() } })[0];
    expect(queued).toMatchObject({ action: null, progress: { kind: "queued" } });
    const mineIs = (state: TransferState) => rowsWith(offered(me, mine.description.fid, state))[1];
    expect(mineIs({ state: "offered" })).toMatchObject({ action: null, progress: { kind: "offered" } });
    expect(mineIs({ state: "queuedThere" })).toMatchObject({
      action: null,
      progress: { kind: "queued", mode: "send" },
    });
  });

  test("is queued with either side while its transfer is, and stopped once the peer has left", () => {
    const { live = nothing.live } = transferOf(theirs.fid, { now: { state: "queued" } });
    const around = { ...offered(mara, theirs.fid, { state: "queued" }), live };
    expect(rowsWith(around)[0]).toMatchObject({
      action: null,
      progress: { kind: "queued", mode: "receive" },
    });
    const alone = { ...around, live: { ...live, here: new Set<string>() } };
    expect(rowsWith(alone)[0]).toMatchObject({
      action: "fetch",
      progress: { kind: "stopped", fraction: 0.45 },
    });
  });

  test("follows the offer if its transfer has ended, as the card does", () => {
    const progressWith = (state: TransferState) =>
      rowsWith({
        ...offered(mara, theirs.fid, { state: "pausedHere" }),
        ...transferOf(theirs.fid, { now: state }),
      })[0]?.progress?.kind;
    expect(progressWith({ state: "opening" })).toBe("moving");
    expect(progressWith({ state: "accepted" })).toBe("stopped");
  });

  test("shows why it failed and can be retried; a cancelled one shows nothing", () => {
    const error = { code: "storage-full", values: {} } as const;
    const failed = rowsWith(transferOf(theirs.fid, { now: { state: "failed", error } }))[0];
    expect(failed).toMatchObject({ action: "fetch", progress: { kind: "failed", error } });
    const refused = rowsWith({ listing: { waiting: [], refused: new Map([[theirs.fid, error]]) } })[0];
    expect(refused?.progress).toEqual({ kind: "failed", error });
    const given = rowsWith(transferOf(theirs.fid, { now: { state: "givenUp" } }));
    expect(given[0]?.progress).toBeNull();
    const declined = rowsWith(transferOf(theirs.fid, { now: { state: "declined" } }));
    expect(declined[0]?.progress).toBeNull();
    const known = rowsWith(transferOf(mine.description.fid, { mode: "send", now: failure("cache-exists") }));
    expect(known[1]?.progress).toBeNull();
    // Without a transfer it failed before this page loaded.
    expect(rowsWith(offered(mara, theirs.fid, failure("storage-full")))[0]?.progress).toBeNull();
  });

  test("shows the progress of a partial file, and counts only its missing bytes", () => {
    const part = fakeStoredFile({ ...theirs }, { state: "incomplete", storedBytes: 250 });
    const rows = comparisonRows(compareFiles([theirs], [part]), nothing);
    expect(rows[0]).toMatchObject({ action: "fetch", progress: { kind: "stopped", fraction: 0.25 } });
    expect(comparisonWork(rows)).toMatchObject({ fetchBytes: 750, totalBytes: 750, send: [] });
  });

  test.each([
    ["sent", me, { state: "complete" }],
    ["declined", mara, { state: "declined" }],
    ["cancelled", mara, { state: "givenUp" }],
  ] as const)("is not new if I %s it before, and is fetched only when selected", (verdict, from, state) => {
    const row = rowsWith(offered(from, theirs.fid, state))[0] ?? expect.fail();
    expect(row).toMatchObject({ verdict, action: "fetch" });
    expect([isInFilter(row, "new"), isInFilter(row, "set-aside"), isMissing(row)]).toEqual([
      false,
      true,
      false,
    ]);
  });

  test("is still new if its sender cancelled it, or if it failed", () => {
    for (const state of [{ state: "withdrawn" } as const, failure("channel-error")]) {
      const row = rowsWith(offered(mara, theirs.fid, state))[0];
      expect(row).toMatchObject({ verdict: "new", action: "fetch" });
      expect(row && isMissing(row)).toBe(true);
    }
  });

  test("has no action if both sides are the same, whatever happened before", () => {
    const own = fakeStoredFile({ ...theirs });
    const state = { state: "complete" } as const;
    const rows = comparisonRows(compareFiles([theirs], [own]), {
      ...nothing,
      ...transferOf(theirs.fid, { now: state }),
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
    inOrder(rows, order, ({ fileName }) => fileName).map(({ file }) => file.fileName);
  expect(names("missing")).toEqual(["b.mov", "a.psd"]);
  expect(names("name")).toEqual(["a.psd", "b.mov"]);
  expect(names("size")).toEqual(["b.mov", "a.psd"]);
});

test("digits in names are sorted as numbers", () => {
  const shared = ["reel 10", "reel 2", "reel 1"].map((fileName) => fakeStoredFile({ fileName }).description);
  const rows = comparisonRows(compareFiles(shared, []), nothing);
  for (const order of ["missing", "name"] as const) {
    expect(inOrder(rows, order, ({ fileName }) => fileName).map(({ file }) => file.fileName)).toEqual([
      "reel 1",
      "reel 2",
      "reel 10",
    ]);
  }
});

test("the actions of a selection are summed up by direction", () => {
  expect(comparisonWork(rowsWith({}))).toMatchObject({
    fetch: [{ verdict: "new" }],
    send: [{ verdict: "only-mine" }],
    fetchBytes: 1_000,
    totalBytes: 1_400,
  });
});
