import type { Offer } from "@warren/core";
import type { ErrorCode } from "@warren/protocol";
import { describe, expect, test } from "vitest";
import { fakeFile, fakeTransfer } from "../testing/fake-records.ts";
import { combinedState, fileStatesOf, isCompleteFile, wholeOutcome } from "./combined-state.ts";
import type { FileOutcome, FileState } from "./file-state.ts";

const queued = { state: "queuedThere" } as const;
const complete = { state: "complete" } as const;
const failed = (code: ErrorCode) => ({ state: "failed", error: { code, values: {} } }) as const;

test("an offer has a state with each of its recipients, who may be away", () => {
  const offers = { mara: queued, noor: queued, tomas: { state: "accepted" } } as const;
  const message = { ...fakeFile("me", "everyone", {}, queued, 0), offers };
  const merging = fakeTransfer(message, "tomas", { mergingProgress: 0.5 });
  const live = { transfers: new Map([[merging.key, merging]]), here: new Set(["mara", "tomas"]) };
  expect(fileStatesOf(message, live)).toEqual({ mara: "queued", noor: "accepted", tomas: "merging" });
});

describe("several recipients", () => {
  test.each<[FileState, readonly FileState[]]>([
    ["running", ["complete", "pausedHere", "running", "declined"]],
    ["merging", ["merging", "queued"]],
    ["pausedHere", ["complete", "pausedHere"]],
    ["pausedHere", ["queued", "pausedHere", "accepted"]],
    ["opening", ["queued", "opening"]],
    ["queued", ["accepted", "offered", "queued"]],
    ["needsSource", ["accepted", "pausedThere", "needsSource"]],
    ["accepted", ["complete", "offered", "accepted"]],
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

test.each<[boolean, Readonly<Record<string, Offer>>]>([
  [true, { mara: complete }],
  [true, { mara: failed("cache-exists") }],
  [true, { mara: complete, noor: { state: "declined" } }],
  [true, {}],
  [false, { mara: complete, noor: { state: "offered" } }],
  [false, { mara: complete, noor: { state: "pausedHere" } }],
  [false, { mara: { state: "accepted" } }],
  [false, { mara: { state: "declined" } }],
])("my file counts as complete (%s) only if nobody is left to receive it", (isComplete, offers) => {
  expect(isCompleteFile(offers, true)).toBe(isComplete);
});
