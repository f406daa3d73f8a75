import { expect, test } from "vitest";
import { slowestOfPlaywright } from "./slowest.mjs";

/**
 * @param {string} title
 * @param {number[]} durations
 */
const spec = (title, ...durations) => ({
  title,
  file: "c.spec.ts",
  tests: [{ results: durations.map((duration) => ({ duration })) }],
});

test("lists the slowest tests at any depth, with all their retries", () => {
  const report = {
    suites: [
      {
        specs: [spec("short", 200), spec("tried twice", 3_000, 2_000)],
        suites: [{ specs: [spec("long", 4_500)] }],
      },
    ],
  };
  expect(slowestOfPlaywright(report, 2)).toEqual([
    { name: "c.spec.ts: tried twice", seconds: 5 },
    { name: "c.spec.ts: long", seconds: 4.5 },
  ]);
});

test("is empty without a report", () => {
  expect(slowestOfPlaywright(null, 5)).toEqual([]);
});
