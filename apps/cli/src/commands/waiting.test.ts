import { expect, it } from "vitest";
import type { CommandEvent } from "../terminal/events.ts";
import { Waiting } from "./waiting.ts";

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

it("ends once somebody has been gone for too long in the middle of a transfer, unless they came back meanwhile", () => {
  const waiting = new Waiting({ event: () => {} });
  const rest = { for: "rest", from: "Ann", minutes: 10, name: "a", sizeBytes: 1, files: null } as const;
  for (const nowMs of [0, 599_000]) waiting.note(rest, nowMs);
  waiting.note(null, 600_000);
  waiting.note(rest, 601_000);
  waiting.note(rest, 1_200_000);
  expect(() => waiting.note(rest, 1_201_000)).toThrow("Ann did not come back.");
  const paused = { ...rest, minutes: null };
  for (const nowMs of [0, 9_999_999]) waiting.note(paused, nowMs);
});
