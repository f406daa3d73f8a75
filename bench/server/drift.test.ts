import { expect, it } from "vitest";
import { driftOf } from "./drift.ts";

it("measures the rise of the regression line over all samples, as a fraction of their mean", () => {
  expect(driftOf([95, 97.5, 100, 102.5, 105])).toBeCloseTo(0.1);
  expect(driftOf([105, 100, 95])).toBeCloseTo(-0.1);
  expect(driftOf([100, 100, 100, 100])).toBe(0);
});

it("is not distorted by one sample, as comparing the first with the last would be", () => {
  // Garbage collected late, at the end of a stable run.
  expect(driftOf([...Array.from({ length: 10 }, () => 100), 110])).toBeCloseTo(0.045, 3);
  // A leak after a high start.
  expect(driftOf([112, ...Array.from({ length: 10 }, (_, minute) => 100 + minute * 2)])).toBeGreaterThan(
    0.05,
  );
});
