import type { FileMessage, Offer, StoredFile, TransferState } from "@warren/core";
import { describe, expect, test } from "vitest";
import { clientIdOf, fakeFile, fakeStoredFile, fakeTransfer, me } from "../../testing/fake-records.ts";
import { fileHistories, fileRows, filterCounts, progressOf, storedBytesOf } from "./file-row.ts";

const [mara, noor] = [clientIdOf(1), clientIdOf(2)];
const fid = "file-of-mara";
const size = 1_000;
const incomplete = (storedBytes: number): StoredFile =>
  fakeStoredFile({ fid, fileSize: size }, { state: "incomplete", storedBytes });
const offer = (state: TransferState): FileMessage => fakeFile(mara, mara, { fid, fileSize: size }, state, 1);
const away = { state: "accepted" } as const;
const failed = { state: "failed", error: { code: "storage-full", values: {} } } as const;
const queued = { state: "queuedThere" } as const;
const here = new Set([mara]);
const nothingMoves = { transfers: new Map(), here };
const conversationsOf = (message: FileMessage) => ({ [mara]: { messages: [message] } });

function rowOf(
  file: StoredFile,
  message: FileMessage | null,
  arriving: TransferState | null = null,
  mergingProgress: number | null = null,
) {
  const sent = offer({ state: "running" });
  const transfer = arriving && fakeTransfer(sent, mara, { now: arriving, mergingProgress });
  const transfers = new Map(transfer ? [[transfer.key, transfer]] : []);
  const offers = fileHistories(message ? conversationsOf(message) : {}, me);
  const [row] = fileRows(new Map([[fid, file]]), offers, { transfers, here });
  return row ?? expect.fail();
}

describe("a file's status", () => {
  test.each([
    ["complete", fakeStoredFile({ fid }), null, null],
    ["merging", { ...incomplete(size), state: "merging" as const }, null, null],
    ["transferring", incomplete(100), offer({ state: "running" }), { state: "running" } as const],
    ["not-started", incomplete(0), offer(away), { state: "opening" } as const],
    ["not-started", incomplete(100), offer(queued), null],
    ["stopped", incomplete(0), offer(away), null],
    ["stopped", incomplete(100), offer(away), null],
    ["stopped", incomplete(100), offer(away), { state: "pausedHere" } as const],
    ["incomplete", incomplete(100), offer(failed), null],
    ["incomplete", incomplete(100), offer(failed), failed],
    ["incomplete", incomplete(100), null, null],
    ["incomplete", { ...incomplete(100), direction: "sent" as const }, null, null],
    ["incomplete", incomplete(100), offer({ state: "complete" }), null],
  ])("is %s", (status, file, message, arriving) => {
    expect(rowOf(file, message, arriving).status).toBe(status);
  });

  test("is merging while its chunks are merged", () => {
    const row = rowOf(incomplete(size), null, { state: "running" }, 0.5);
    expect(row.status).toBe("merging");
  });

  test("follows the active one of several senders", () => {
    const sent = offer({ state: "running" });
    const both = [
      fakeTransfer(sent, mara, { now: { state: "running" } }),
      fakeTransfer(sent, noor, { now: failed }),
    ];
    const transfers = new Map(both.map((transfer) => [transfer.key, transfer]));
    const [row] = fileRows(new Map([[fid, incomplete(100)]]), new Map(), { transfers, here });
    expect(row).toMatchObject({ status: "transferring", isMoving: true });
  });
});

describe("a file I sent", () => {
  const sent = fakeStoredFile({ fid, fileSize: size }, { direction: "sent", location: "page", peers: [] });
  const whole = { state: "complete" } as const;

  test.each<[status: string, states: readonly Offer[]]>([
    ["offered", [{ state: "offered" }]],
    ["stopped", [away]],
    ["complete", [whole]],
    ["declined", [{ state: "declined" }]],
    ["cancelled", [{ state: "withdrawn" }]],
    ["cancelled", [{ state: "givenUp" }]],
    ["incomplete", [failed]],
    ["complete", [{ state: "declined" }, whole]],
    ["offered", [{ state: "declined" }, { state: "offered" }]],
    ["not-started", [queued]],
    ["stopped", [whole, { state: "pausedHere" }]],
    ["offered", [whole, { state: "offered" }]],
  ])("is %s", (status, states) => {
    const offers = Object.fromEntries(states.map((offer, i) => [clientIdOf(i + 1), offer]));
    const message = { ...fakeFile(me, mara, { fid, fileSize: size }, away, 1), offers };
    const [row] = fileRows(new Map([[fid, sent]]), fileHistories(conversationsOf(message), me), nothingMoves);
    expect(row).toMatchObject({ status, people: Object.keys(offers), message });
  });

  test("is transferring while a transfer of it runs", () => {
    const message = fakeFile(me, mara, { fid, fileSize: size }, away, 1);
    const transfer = fakeTransfer(message, mara);
    const live = { transfers: new Map([[transfer.key, transfer]]), here };
    const [row] = fileRows(new Map([[fid, sent]]), fileHistories(conversationsOf(message), me), live);
    expect(row).toMatchObject({ status: "transferring", message });
  });

  test("is complete if its offers are unknown", () => {
    expect(fileRows(new Map([[fid, sent]]), new Map(), nothingMoves)[0]).toMatchObject({
      status: "complete",
      people: [],
    });
  });
});

test("my own offer cannot be resumed, but the latest of others can", () => {
  const mine = fakeFile(me, mara, { fid }, away, 9);
  const [first, second] = [offer(away), { ...offer(away), sortedAt: 2 }];
  const offers = fileHistories({ [mara]: { messages: [second, first, mine] } }, me);
  expect(offers.get(fid)).toMatchObject({ offer: second, own: [mine], last: mine });
});

test("only files in storage count as stored", () => {
  const rows = [
    { file: fakeStoredFile({ fileSize: 500 }) },
    { file: fakeStoredFile({ fileSize: 900 }, { state: "incomplete", storedBytes: 300 }) },
    { file: fakeStoredFile({ fileSize: 7_000 }, { location: "page", direction: "sent" }) },
  ];
  expect(storedBytesOf(rows)).toEqual({ complete: 500, incomplete: 300 });
});

test('the filters count every row once, and "all" counts every row', () => {
  const rows = [
    rowOf(fakeStoredFile({ fid }), null),
    rowOf(incomplete(0), offer(queued)),
    rowOf(incomplete(9), null),
  ];
  expect(filterCounts(rows)).toEqual({ all: 3, complete: 1, waiting: 1, incomplete: 1, "not-sent": 0 });
});

describe("a file's progress", () => {
  test("is the stored fraction while nothing moves, and the received one while it moves", () => {
    const row = rowOf(incomplete(250), offer(away));
    expect(progressOf(row, [])).toEqual({ fraction: 0.25, isMoving: false });
    const moving = fakeTransfer(offer({ state: "running" }), mara, { transferredBytes: 600 });
    expect(progressOf({ ...row, isMoving: true }, [moving])).toMatchObject({
      fraction: 0.6,
      isMoving: true,
    });
  });

  test("of a complete file is averaged over its recipients, and null without any", () => {
    const row = rowOf(fakeStoredFile({ fid, fileSize: size }), null);
    const mine = fakeFile(me, mara, { fid, fileSize: size }, { state: "running" }, 1);
    const sends = [mara, noor].map((peer, i) =>
      fakeTransfer(mine, peer, { transferredBytes: 200 * (i + 1) }),
    );
    expect(progressOf(row, sends)).toEqual({ fraction: 0.3, isMoving: true });
    expect(progressOf(row, [undefined])).toBeNull();
  });
});
