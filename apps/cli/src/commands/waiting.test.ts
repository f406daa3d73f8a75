import type { TransferSnapshot } from "@warren/core";
import { expect, it } from "vitest";
import type { CommandEvent } from "../terminal/events.ts";
import { Waiting, waitedFor } from "./waiting.ts";

it("says what it waits for once, unless that takes a moment only", () => {
  const said: CommandEvent[] = [];
  const waiting = new Waiting({ event: (event) => void said.push(event) });
  const ann = { for: "offer", from: "Ann" } as const;
  waiting.note({ for: "somebody", name: null }, 0);
  waiting.note(ann, 1_900);
  for (const nowMs of [2_100, 3_900, 4_900]) waiting.note(ann, nowMs);
  expect(said).toEqual([{ event: "waiting", ...ann }]);
  waiting.note(null, 5_000);
  for (const nowMs of [8_000, 10_000]) waiting.note({ ...ann }, nowMs);
  expect(said).toHaveLength(2);
});

const item = { name: "a", sizeBytes: 4, files: null } as const;
const running = { state: "running" } as const;
/** A transfer that has stored so many of 4 bytes. */
const moving = (transferredBytes: number, change: Partial<TransferSnapshot> = {}) =>
  ({
    transferredBytes,
    totalBytes: 4,
    mergingProgress: null,
    isSilent: false,
    ...change,
  }) as TransferSnapshot;

it.each([
  ["sender", { state: "offered" }, undefined, true, { for: "answer", from: "Ann" }],
  ["receiver", { state: "offered" }, undefined, true, null],
  ["sender", { state: "pausedThere" }, undefined, true, { for: "rest", from: "Ann", minutes: null }],
  ["receiver", { state: "accepted" }, undefined, false, { for: "rest", from: "Ann", minutes: 10 }],
  ["sender", { state: "needsSpace" }, undefined, true, { for: "space", from: "Ann" }],
  ["receiver", { state: "needsSpace" }, undefined, false, { for: "space", from: null }],
  ["sender", running, moving(2), true, null],
  ["sender", running, moving(2, { isSilent: true }), true, { for: "rest", from: "Ann", minutes: 10 }],
  ["receiver", running, moving(2, { isSilent: true }), true, { for: "rest", from: "Ann", minutes: 10 }],
  ["sender", running, moving(4), true, { for: "disk", from: "Ann" }],
  ["receiver", running, moving(4), true, null],
  ["receiver", running, moving(4, { mergingProgress: 0, isSilent: true }), true, { for: "disk", from: null }],
] as const)("knows what a %s waits for: %j, %j, here: %s", (side, now, transfer, isHere, waited) => {
  const found = waitedFor({ side, now, transfer, isHere, name: "Ann", item });
  expect(found).toEqual(waited && { ...waited, ...item });
});

it("ends once somebody has been gone for too long in the middle of a transfer, unless they came back meanwhile", () => {
  const waiting = new Waiting({ event: () => {} });
  const rest = { for: "rest", from: "Ann", minutes: 10, name: "a", sizeBytes: 1, files: null } as const;
  for (const nowMs of [0, 599_000]) waiting.note(rest, nowMs);
  waiting.note(null, 600_000);
  waiting.note(rest, 601_000);
  waiting.note(rest, 1_200_000);
  expect(() => waiting.note(rest, 1_201_000)).toThrow("Ann did not go on.");
  const paused = { ...rest, minutes: null };
  for (const nowMs of [0, 9_999_999]) waiting.note(paused, nowMs);
});
