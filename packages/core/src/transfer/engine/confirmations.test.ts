import type { ChunkRanges } from "@warren/protocol";
import { expect, it } from "vitest";
import { FakeClock } from "../../testing/fake-clock.ts";
import { Confirmations } from "./confirmations.ts";

const mib = 1024 * 1024;

it("confirms chunks of 2 MiB together, and others within 250 ms", async () => {
  const clock = new FakeClock();
  const told: ChunkRanges[] = [];
  const confirmations = new Confirmations(clock, mib / 2, (ranges) => told.push(ranges));
  for (const chunk of [3, 0, 2, 7, 8]) confirmations.add(chunk);
  expect(told).toEqual([[0, [2, 3], 7]]);
  await clock.advance(249);
  confirmations.add(9);
  expect(told).toHaveLength(1);
  await clock.advance(1);
  expect(told.slice(1)).toEqual([[[8, 9]]]);
  expect(clock.timerCount).toBe(0);
});

it("confirms a large chunk at once", () => {
  const told: ChunkRanges[] = [];
  const confirmations = new Confirmations(new FakeClock(), 2 * mib, (ranges) => told.push(ranges));
  for (const chunk of [1, 0]) confirmations.add(chunk);
  expect(told).toEqual([[1], [0]]);
});

it("confirms nothing any more once closed", async () => {
  const clock = new FakeClock();
  const told: ChunkRanges[] = [];
  const confirmations = new Confirmations(clock, mib / 2, (ranges) => told.push(ranges));
  confirmations.add(0);
  confirmations.close();
  await clock.advance(1_000);
  expect(told).toEqual([]);
  expect(clock.timerCount).toBe(0);
});
