import {
  everyone,
  type FileMessage,
  type TransferSnapshot,
  type TransferState,
  transferKeyOf,
} from "@warren/core";
import { describe, expect, test } from "vitest";
import { clientIdOf, fakeFile, fakeTransfer, me, storedOf } from "../../testing/fake-records.ts";
import { progressWith, totalProgress, transferSpeeds } from "./transfer-batch.ts";

const mara = clientIdOf(1);
const moving = { state: "running" } as const;
const queued = { state: "queuedThere" } as const;
const complete = { state: "complete" } as const;
const offered = { state: "offered" } as const;

/** A file of 100 bytes; `bytes` of it are transferred, null if its transfer has not started. */
function file(from: string, state: TransferState, bytes: number | null, at = 0, conversation = mara) {
  const message = fakeFile(from, conversation, { fileSize: 100 }, state, at, {
    offers: { [mara]: storedOf(state) },
  });
  return {
    message,
    transfer: bytes === null ? null : fakeTransfer(message, mara, { transferredBytes: bytes, now: state }),
  };
}

function stateOf(
  files: readonly { readonly message: FileMessage; readonly transfer: TransferSnapshot | null }[],
) {
  const transfers = files.flatMap(({ transfer }) => (transfer ? [[transfer.key, transfer] as const] : []));
  const of = (id: string) => ({
    messages: files.map(({ message }) => message).filter(({ conversation }) => conversation === id),
    unread: 0,
  });
  return [new Map(transfers), { [mara]: of(mara), [everyone]: of(everyone) }] as const;
}

describe("transfer progress", () => {
  test.each([
    ["receive", mara, queued],
    ["send", me, offered],
  ] as const)("never falls while files that were offered together alternate (%s)", (way, from, waiting) => {
    // Two at a time of six, in steps of half a file.
    const fractions = [];
    for (let step = 0; step < 6; step++) {
      const first = Math.floor(step / 2) * 2;
      const files = Array.from({ length: 6 }, (_, at) => {
        if (at < first) return file(from, complete, 100, at);
        return at < first + 2 ? file(from, moving, (step % 2) * 50, at) : file(from, waiting, null, at);
      });
      fractions.push(progressWith(mara, way, ...stateOf(files)));
      expect(totalProgress(...stateOf(files))).toBe(fractions.at(-1));
    }
    expect(fractions).toEqual([0, 1 / 6, 2 / 6, 3 / 6, 4 / 6, 5 / 6]);
  });

  test("ignores files from long before, unaccepted offers and failed files", () => {
    const failed = { state: "failed", error: { code: "no-session", values: {} } } as const;
    const files = [
      file(mara, complete, 100, 0),
      file(mara, moving, 25, 60_000),
      file(mara, offered, null, 60_001),
      file(mara, failed, 70, 60_002),
      file(mara, complete, null, 60_003),
    ];
    expect(progressWith(mara, "receive", ...stateOf(files))).toBe(0.25);
  });

  test("counts an accepted offer from the moment its transfer exists", () => {
    const { message } = file(mara, { state: "accepted" }, null, 1);
    const opening = { message, transfer: fakeTransfer(message, mara, { now: { state: "opening" } }) };
    const files = [file(mara, moving, 50, 0), opening];
    expect(progressWith(mara, "receive", ...stateOf(files))).toBe(0.25);
  });

  test("combines offers to everyone with offers to one peer", () => {
    const files = [file(me, moving, 50, 0, everyone), file(me, offered, null, 1)];
    expect(progressWith(mara, "send", ...stateOf(files))).toBe(0.25);
    expect(progressWith(mara, "receive", ...stateOf(files))).toBeNull();
  });

  test("is null when nothing moves, even if files are queued", () => {
    const state = stateOf([file(mara, queued, null), file(mara, complete, 100)]);
    expect(totalProgress(...state)).toBeNull();
    expect(progressWith(mara, "receive", ...state)).toBeNull();
  });
});

test("sums up the speeds of active transfers by direction", () => {
  const [a, b, c] = ["a", "b", "c"].map((fid, at) =>
    fakeFile(mara, mara, { fid }, { state: "running" }, at),
  ) as [FileMessage, FileMessage, FileMessage];
  const state = { state: "running" } as const;
  const each = (message: FileMessage, change: object) =>
    fakeTransfer(message, mara, { now: state, ...change });
  const totals = transferSpeeds(
    new Map([
      [
        transferKeyOf(mara, "a"),
        each(a, {
          totalBytes: 100,
          transferredBytes: 50,
          bytesPerSecond: 7,
          mode: "send",
        }),
      ],
      [
        transferKeyOf(mara, "b"),
        each(b, {
          totalBytes: 300,
          transferredBytes: 50,
          bytesPerSecond: 5,
          mode: "send",
        }),
      ],
      [transferKeyOf(mara, "c"), fakeTransfer(c, mara, { now: { state: "pausedHere" } })],
    ]),
  );
  expect(totals).toEqual({ receivedPerSecond: null, sentPerSecond: 12 });
});
