import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { throttled } from "./throttled.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("reports the first value at once and the last one when the interval is over", () => {
  const reported: number[] = [];
  const report = throttled((value: number) => void reported.push(value), 500);
  for (const value of [1, 2, 3]) report(value);
  expect(reported).toEqual([1]);
  vi.advanceTimersByTime(500);
  expect(reported).toEqual([1, 3]);
  vi.advanceTimersByTime(500);
  report(4);
  expect(reported).toEqual([1, 3, 4]);
});

test("reports nothing more once it is stopped", () => {
  const reported: number[] = [];
  const report = throttled((value: number) => void reported.push(value), 500);
  report(1);
  report(2);
  report.stop();
  vi.runAllTimers();
  expect(reported).toEqual([1]);
});
