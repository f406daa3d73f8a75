import type { TransferState } from "@warren/core";
import type { ErrorCode, ErrorValues } from "@warren/protocol";
import { describe, expect, test } from "vitest";
import { fakeFile, fakeTransfer } from "../testing/fake-records.ts";
import { type FileState, fileStateOf, fileStateOfTransfer, fileStates, isMoving } from "./file-state.ts";

const here = { transfer: undefined, isHere: true };
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
    expect(fileStateOf(moving, false, { ...here, transfer: transfer(0) })).toBe("merging");
    expect(fileStateOf(moving, false, { ...here, transfer: transfer(null) })).toBe("running");
    expect(fileStateOf(paused("me"), false, { ...here, transfer: transfer(0) })).toBe("pausedHere");
  });

  test("is opening while its transfer has not started, if the peer is here", () => {
    const transfer = fakeTransfer(offer, "mara", { state: { status: "init" } });
    expect(fileStateOf(paused("absence"), false, { ...here, transfer })).toBe("opening");
    expect(fileStateOf(paused("absence"), false, { transfer, isHere: false })).toBe("absent");
    expect(fileStateOf({ status: "init" }, false, { ...here, transfer })).toBe("offered");
  });

  test("is that of its transfer if nothing is stored", () => {
    const transfer = fakeTransfer(offer, "mara", { state: { status: "init" } });
    expect(fileStateOf(undefined, false, { transfer, isHere: true })).toBe("opening");
    expect(fileStateOf(undefined, false, { transfer, isHere: false })).toBe("absent");
    const queued = { ...transfer, state: paused("queue") };
    expect(fileStateOf(undefined, false, { transfer: queued, isHere: true })).toBe("queued");
  });

  test("is not queued at a peer that is away", () => {
    expect(fileStateOf(paused("queue"), true, { ...here, isHere: false })).toBe("absent");
  });

  test("is gone or missing only if it was complete", () => {
    expect(fileStateOf(complete, false, { ...here, loss: "gone" })).toBe("gone");
    expect(fileStateOf(complete, false, { ...here, loss: "missing" })).toBe("missing");
    expect(fileStateOf(moving, false, { ...here, loss: "gone" })).toBe("running");
  });
});

describe("transfer state", () => {
  test("is opening until the transfer starts, then the file's state", () => {
    const stateOf = (state: TransferState) => fileStateOfTransfer(fakeTransfer(offer, "mara", { state }));
    expect(stateOf({ status: "init" })).toBe("opening");
    expect(stateOf(paused("absence"))).toBe("absent");
    expect(stateOf(failed("transfer-cancelled", { by: "sender" }))).toBe("cancelledThere");
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
