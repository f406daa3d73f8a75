import type { Offer, TransferState } from "@warren/core";
import type { ErrorCode } from "@warren/protocol";
import { describe, expect, test } from "vitest";
import { fakeFile, fakeTransfer } from "../testing/fake-records.ts";
import {
  type FileOutcome,
  type FileState,
  fileStateOf,
  fileStateOfTransfer,
  fileStates,
  isMoving,
  outcomeOf,
} from "./file-state.ts";

const offer = fakeFile("mara", "mara", {}, { state: "offered" }, 0);
const running = { state: "running" } as const;
const accepted = { state: "accepted" } as const;
const complete = { state: "complete" } as const;
const failed = (code: ErrorCode) => ({ state: "failed", error: { code, values: {} } }) as const;
const transferIn = (state: TransferState, mergingProgress: number | null = null) =>
  fakeTransfer(offer, "mara", { now: state, mergingProgress });

describe("file state", () => {
  test.each<[FileState, FileState, Offer | undefined]>([
    ["offered", "offered", undefined],
    ["offered", "offered", { state: "offered" }],
    ["pausedHere", "pausedHere", { state: "pausedHere" }],
    ["pausedThere", "pausedThere", { state: "pausedThere" }],
    ["accepted", "accepted", accepted],
    ["needsSource", "needsSource", { state: "needsSource" }],
    ["needsSpace", "needsSpace", { state: "needsSpace" }],
    ["queued", "queued", { state: "queuedThere" }],
    ["complete", "complete", complete],
    ["alreadyThere", "complete", { ...complete, already: true }],
    ["alreadyThere", "failed", failed("cache-exists")],
    ["declined", "declined", { state: "declined" }],
    ["cancelledHere", "cancelledThere", { state: "withdrawn" }],
    ["cancelledThere", "cancelledHere", { state: "givenUp" }],
    ["changed", "changed", failed("source-changed")],
    ["outOfSpace", "outOfSpace", failed("storage-full")],
    ["unusable", "unusable", failed("source-missing")],
    ["failed", "failed", failed("channel-error")],
  ])("is %s for my file, %s for theirs", (mine, theirs, offer) => {
    const known = { transfer: undefined, isHere: true };
    expect([fileStateOf(offer, true, known), fileStateOf(offer, false, known)]).toEqual([mine, theirs]);
  });

  test.each<[FileState, FileState, TransferState]>([
    ["running", "running", running],
    ["opening", "accepted", { state: "opening" }],
    ["queued", "accepted", { state: "queued" }],
  ])("is %s while its transfer is, and %s once the peer has left", (state, alone, now) => {
    const transfer = transferIn(now);
    for (const offer of [accepted, undefined]) {
      expect(fileStateOf(offer, false, { transfer, isHere: true })).toBe(state);
      expect(fileStateOf(offer, false, { transfer, isHere: false })).toBe(alone);
    }
  });

  test("is that of the offer once its transfer has ended, or if a person has decided against it", () => {
    const isHere = true;
    const offered = { state: "pausedHere" } as const;
    expect(fileStateOf(offered, false, { transfer: transferIn(accepted), isHere })).toBe("pausedHere");
    expect(fileStateOf({ state: "declined" }, false, { transfer: transferIn(running), isHere })).toBe(
      "declined",
    );
  });

  test("is merging only while its transfer reports merging", () => {
    const stateAt = (progress: number | null) =>
      fileStateOf(accepted, false, { transfer: transferIn(running, progress), isHere: true });
    expect([stateAt(0), stateAt(null)]).toEqual(["merging", "running"]);
  });

  test("is not queued at a peer that is away", () => {
    expect(fileStateOf({ state: "queuedThere" }, true, { transfer: undefined, isHere: false })).toBe(
      "accepted",
    );
  });

  test("is gone or missing only if it was complete", () => {
    const lost = { transfer: undefined, isHere: true } as const;
    expect(fileStateOf(complete, false, { ...lost, loss: "gone" })).toBe("gone");
    expect(fileStateOf(complete, false, { ...lost, loss: "missing" })).toBe("missing");
    expect(fileStateOf(accepted, false, { ...lost, loss: "gone" })).toBe("accepted");
  });
});

test.each<[FileOutcome, FileOutcome, Offer | undefined]>([
  ["waiting", "waiting", undefined],
  ["waiting", "waiting", { state: "offered" }],
  ["accepted", "accepted", { state: "queuedThere" }],
  ["accepted", "accepted", { state: "pausedHere" }],
  ["complete", "complete", complete],
  ["complete", "failed", failed("cache-exists")],
  ["cancelled", "cancelledThere", { state: "withdrawn" }],
  ["failed", "failed", failed("source-changed")],
])("the outcome of an offer is %s for my file, %s for theirs", (mine, theirs, offer) => {
  expect([outcomeOf(offer, true), outcomeOf(offer, false)]).toEqual([mine, theirs]);
});

describe("transfer state", () => {
  test("is that of the file", () => {
    const stateOf = (state: TransferState) => fileStateOfTransfer(transferIn(state));
    expect(stateOf({ state: "opening" })).toBe("opening");
    expect(stateOf(accepted)).toBe("accepted");
    expect(stateOf({ state: "withdrawn" })).toBe("cancelledThere");
  });

  test("is moving only while bytes move or are merged", () => {
    const moves = (state: TransferState, progress?: number) => isMoving(transferIn(state, progress));
    expect([moves(running), moves(running, 0.5)]).toEqual([true, true]);
    expect([moves({ state: "opening" }), moves({ state: "queued" }), moves(complete)]).toEqual([
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
