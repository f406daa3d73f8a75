import { expect, it } from "vitest";
import { FakeClock } from "../testing/fake-clock.ts";
import { GuessBudget } from "./guess-budget.ts";

it("closes after ten runs that did not succeed and opens again ten minutes later", async () => {
  const clock = new FakeClock();
  const budget = new GuessBudget(clock);
  for (let i = 0; i < 9; i++) budget.spend();
  expect(budget.isOpen).toBe(true);
  budget.spend();
  expect(budget.isOpen).toBe(false);
  await clock.advance(599_999);
  expect(budget.isOpen).toBe(false);
  await clock.advance(1);
  expect(budget.isOpen).toBe(true);
});

it("does not count runs that succeed", () => {
  const budget = new GuessBudget(new FakeClock());
  for (let i = 0; i < 100; i++) budget.spend()();
  expect(budget.isOpen).toBe(true);
});
