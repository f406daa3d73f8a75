import type { ChunkRanges } from "@warren/protocol";
import { expect, it } from "vitest";
import { FakeClock } from "../../testing/fake-clock.ts";
import { Confirmations } from "./confirmations.ts";

it("confirms four fast chunks together, and chunks a second apart one by one", async () => {
  const clock = new FakeClock();
  const told: ChunkRanges[] = [];
  const confirmations = new Confirmations(clock, (ranges) => told.push(ranges));
  for (const chunk of [3, 0, 2, 7, 8]) confirmations.add(chunk);
  expect(told).toEqual([[0, [2, 3], 7]]);
  await clock.advance(1_000);
  confirmations.add(9);
  expect(told.slice(1)).toEqual([[[8, 9]]]);
  await clock.advance(999);
  confirmations.add(10);
  expect(told).toHaveLength(2);
  await clock.advance(1);
  confirmations.add(12);
  expect(told.slice(2)).toEqual([[10, 12]]);
});
