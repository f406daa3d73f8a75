import type { TransferState } from "@warren/core";
import type { ErrorCode, ErrorValues } from "@warren/protocol";
import { describe, expect, test } from "vitest";
import { fakeFile, fakeTransfer } from "../testing/fake-records.ts";
import {
  type FileState,
  failureOf,
  fileStateOf,
  fileStateOfTransfer,
  fileStates,
  isCompleteFile,
  isMoving,
} from "./file-state.ts";

const offer = fakeFile("mara", "mara", {}, { status: "init" }, 0);
const moving = { status: "transferring" } as const;
const complete = { status: "complete", verified: true } as const;
const paused = (by: Extract<TransferState, { status: "paused" }>["by"]) =>
  ({ status: "paused", by }) as const;
const failed = (code: ErrorCode, values: ErrorValues = {}) =>
  ({ status: "error", error: { code, values } }) as const;

describe("file state", () => {
  test.each<[FileState, FileState, TransferState | undefined]>([
    ["offered", "offered", undefined],
    ["offered", "offered", { status: "init" }],
    ["running", "running", moving],
    ["pausedHere", "pausedHere", paused("me")],
    ["pausedThere", "pausedThere", paused("peer")],
    ["absent", "absent", paused("absence")],
    ["needsSource", "needsSource", paused("source")],
    ["needsSpace", "needsSpace", paused("storage")],
    ["queued", "queued", paused("queue")],
    ["complete", "complete", complete],
    ["alreadyThere", "complete", { ...complete, already: true }],
    ["alreadyThere", "failed", failed("cache-exists")],
    ["declined", "declined", failed("transfer-declined")],
    ["cancelledHere", "cancelledThere", failed("transfer-cancelled", { by: "sender" })],
    ["cancelledThere", "cancelledHere", failed("transfer-cancelled", { by: "receiver" })],
    ["cancelled", "cancelled", failed("transfer-cancelled")],
    ["changed", "changed", failed("source-changed")],
    ["outOfSpace", "outOfSpace", failed("storage-full")],
    ["tooLarge", "tooLarge", failed("file-too-large")],
    ["unusable", "unusable", failed("source-missing")],
    ["failed", "failed", failed("channel-error")],
  ])("is %s for my file, %s for theirs", (mine, theirs, state) => {
    expect([fileStateOf(state, true), fileStateOf(state, false)]).toEqual([mine, theirs]);
  });

  test("is merging only while its transfer reports merging", () => {
    const transfer = (mergingProgress: number | null) => fakeTransfer(offer, "mara", { mergingProgress });
    expect(fileStateOf(moving, false, { transfer: transfer(0) })).toBe("merging");
    expect(fileStateOf(moving, false, { transfer: transfer(null) })).toBe("running");
    expect(fileStateOf(paused("me"), false, { transfer: transfer(0) })).toBe("pausedHere");
  });

  test("is opening while its transfer has not started, if the peer is here", () => {
    const transfer = fakeTransfer(offer, "mara", { state: { status: "init" } });
    expect(fileStateOf(paused("absence"), false, { transfer })).toBe("opening");
    expect(fileStateOf(paused("absence"), false, { transfer, isHere: false })).toBe("absent");
    expect(fileStateOf({ status: "init" }, false, { transfer })).toBe("offered");
  });

  test("is not queued at a peer that is away", () => {
    expect(fileStateOf(paused("queue"), true, { isHere: false })).toBe("absent");
  });

  test("is gone or missing only if it was complete", () => {
    expect(fileStateOf(complete, false, { loss: "gone" })).toBe("gone");
    expect(fileStateOf(complete, false, { loss: "missing" })).toBe("missing");
    expect(fileStateOf(moving, false, { loss: "gone" })).toBe("running");
  });
});

test("a file is complete if its receiver has it, sent now or there before", () => {
  expect([isCompleteFile(complete, true), isCompleteFile(complete, false)]).toEqual([true, true]);
  expect(isCompleteFile(failed("cache-exists"), true)).toBe(true);
  expect([isCompleteFile(moving, true), isCompleteFile(undefined, false)]).toEqual([false, false]);
});

describe("transfer state", () => {
  test("is opening until the transfer starts, then the file's state", () => {
    const stateOf = (state: TransferState) => fileStateOfTransfer(fakeTransfer(offer, "mara", { state }));
    expect(stateOf({ status: "init" })).toBe("opening");
    expect(stateOf(paused("absence"))).toBe("absent");
    expect(stateOf(failed("transfer-cancelled", { by: "sender" }))).toBe("cancelledThere");
  });

  test("has a failure only if it neither moves nor was declined, cancelled or unnecessary", () => {
    const failureAs = (mode: "send" | "receive", state: TransferState) =>
      failureOf(fakeTransfer(offer, "mara", { mode, state }));
    expect(failureAs("send", failed("channel-error"))).toEqual({ code: "channel-error", values: {} });
    expect(failureAs("receive", failed("cache-exists"))).toMatchObject({ code: "cache-exists" });
    expect(failureAs("send", failed("cache-exists"))).toBe(null);
    expect(failureAs("send", failed("transfer-declined"))).toBe(null);
    expect(failureAs("receive", failed("transfer-cancelled", { by: "sender" }))).toBe(null);
    expect([failureAs("receive", moving), failureAs("receive", complete)]).toEqual([null, null]);
  });

  test("is moving only while bytes move or are merged", () => {
    const moves = (state: TransferState, mergingProgress: number | null = null) =>
      isMoving(fakeTransfer(offer, "mara", { state, mergingProgress }));
    expect([moves(moving), moves(moving, 0.5)]).toEqual([true, true]);
    expect([moves({ status: "init" }), moves(paused("queue")), moves(complete)]).toEqual([
      false,
      false,
      false,
    ]);
  });
});

test("an offer counts in a batch's progress if it is mine or its transfer exists", () => {
  expect(fileStates.offered.counts).toBe("if-mine");
  expect(fileStates.opening.counts).toBe("always");
});
