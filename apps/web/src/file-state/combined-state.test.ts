import type { TransferState } from "@warren/core";
import type { ErrorCode } from "@warren/protocol";
import { describe, expect, test } from "vitest";
import { fakeFile, fakeTransfer } from "../testing/fake-records.ts";
import { combinedState, fileStatesOf, isCompleteFile, wholeOutcome } from "./combined-state.ts";
import type { FileOutcome, FileState } from "./file-state.ts";

const moving = { status: "transferring" } as const;
const complete = { status: "complete", verified: true } as const;
const paused = (by: "me" | "queue") => ({ status: "paused", by }) as const;
const failed = (code: ErrorCode) => ({ status: "error", error: { code, values: {} } }) as const;

test("an offer has a state with each of its recipients, who may be away", () => {
  const transfers = { mara: paused("queue"), noor: paused("queue"), tomas: moving };
  const message = { ...fakeFile("me", "everyone", {}, moving, 0), transfers };
  const merging = fakeTransfer(message, "tomas", { mergingProgress: 0.5 });
  const live = { transfers: new Map([[merging.key, merging]]), here: new Set(["mara", "tomas"]) };
  expect(fileStatesOf(message, live)).toEqual({ mara: "queued", noor: "absent", tomas: "merging" });
});

describe("several recipients", () => {
  test.each<[FileState, readonly FileState[]]>([
    ["running", ["complete", "pausedHere", "running", "declined"]],
    ["merging", ["merging", "queued"]],
    ["pausedHere", ["complete", "pausedHere"]],
    ["pausedHere", ["queued", "pausedHere", "absent"]],
    ["opening", ["queued", "opening"]],
    ["queued", ["absent", "offered", "queued"]],
    ["needsSource", ["absent", "pausedThere", "needsSource"]],
    ["absent", ["complete", "offered", "absent"]],
    ["offered", ["complete", "offered", "failed"]],
    ["complete", ["failed", "complete", "declined"]],
    ["alreadyThere", ["cancelledHere", "alreadyThere"]],
    ["failed", ["declined", "failed", "cancelledThere"]],
    ["declined", ["cancelledHere", "declined"]],
    ["cancelledThere", ["cancelledThere"]],
  ])("are %s together", (combined, states) => {
    expect(combinedState(states)).toBe(combined);
    expect(combinedState(states.toReversed())).toBe(combined);
  });

  test("have no state if there are none", () => {
    expect(combinedState([])).toBeNull();
  });
});

test.each<[FileOutcome, readonly FileOutcome[]]>([
  ["accepted", ["complete", "accepted", "waiting"]],
  ["waiting", ["declined", "waiting", "complete"]],
  ["complete", ["declined", "complete"]],
  ["failed", ["declined", "failed"]],
  ["waiting", []],
])("the outcome of several files is %s", (outcome, outcomes) => {
  expect(wholeOutcome(outcomes)).toBe(outcome);
});

test.each<[boolean, Readonly<Record<string, TransferState>>]>([
  [true, { mara: complete }],
  [true, { mara: failed("cache-exists") }],
  [true, { mara: complete, noor: failed("transfer-declined") }],
  [true, {}],
  [false, { mara: complete, noor: { status: "init" } }],
  [false, { mara: complete, noor: paused("me") }],
  [false, { mara: moving }],
  [false, { mara: failed("transfer-declined") }],
])("my file counts as complete (%s) only if nobody is left to receive it", (isComplete, transfers) => {
  expect(isCompleteFile(transfers, true)).toBe(isComplete);
});
