import type { TransferState } from "@warren/core";
import { describe, expect, test } from "vitest";
import { clientIdOf, fakeFile, fakeTransfer } from "../testing/fake-records.ts";
import { milestoneOf } from "./transfer-milestone.ts";

const mara = clientIdOf(1);

describe("a milestone of a transfer", () => {
  const file = fakeFile(mara, mara, { fileSize: 100 }, { state: "offered" }, 1);
  const at = (transferredBytes: number, state: TransferState = { state: "running" }) =>
    fakeTransfer(file, mara, { transferredBytes, now: state });
  const failed = (code: "channel-error"): TransferState => ({ state: "failed", error: { code, values: {} } });

  test.each([
    ["its start", undefined, at(0), "started"],
    ["nothing between two quarters", at(26), at(49), null],
    ["a quarter", at(24), at(25), "progress"],
    ["the last of several quarters passed at once", at(10), at(80), "progress"],
    ["its end", at(99), at(100, { state: "complete" }), "complete"],
    ["a failure", at(50), at(50, failed("channel-error")), "failed"],
    ["no failure where someone decided", at(50), at(50, { state: "declined" }), null],
    ["its start after it was queued", { ...at(0, { state: "queued" }), startedAt: null }, at(0), "started"],
    ["nothing when it resumes", at(50, { state: "pausedHere" }), at(50), null],
    ["nothing when it resumes after it was queued", at(50, { state: "queued" }), at(50), null],
    ["nothing when it is paused", at(50), at(50, { state: "pausedHere" }), null],
  ])("is %s", (_name, before, now, milestone) => {
    expect(milestoneOf(before, now)).toEqual(milestone);
  });
});
