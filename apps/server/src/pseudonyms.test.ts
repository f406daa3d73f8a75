import { expect, it } from "vitest";
import { Pseudonyms } from "./pseudonyms.ts";
import { ManualClock } from "./testing/manual-clock.ts";

it("gives the same value the same name within a day, and another one the next day or in another process", () => {
  const clock = new ManualClock();
  const pseudonyms = new Pseudonyms(clock);
  const today = pseudonyms.of("203.0.113.9");
  expect(today).toMatch(/^[\w-]{12}$/);
  clock.advance(86_399_999);
  expect(pseudonyms.of("203.0.113.9")).toBe(today);
  expect(pseudonyms.of("203.0.113.8")).not.toBe(today);
  expect(new Pseudonyms(clock).of("203.0.113.9")).not.toBe(today);
  clock.advance(1);
  expect(pseudonyms.of("203.0.113.9")).not.toBe(today);
});
