import { describe, expect, test } from "vitest";
import { countCheck, countPlaywright, countVitest, sum, summaryLine } from "./counts.mjs";

const file = (/** @type {string} */ status, /** @type {string[]} */ ...tests) => ({
  status,
  assertionResults: tests.map((test) => ({ status: test })),
});

describe("counting a run", () => {
  test("counts a check by its exit code", () => {
    expect(countCheck(0)).toEqual({ passed: 1, failed: 0, skipped: 0 });
    expect(countCheck(2)).toEqual({ passed: 0, failed: 1, skipped: 0 });
  });

  test("adds Vitest's tests over all files", () => {
    const report = {
      testResults: [
        file("passed", "passed", "passed", "skipped"),
        file("failed", "passed", "failed", "todo"),
      ],
    };
    expect(countVitest(report, 1)).toEqual({ passed: 3, failed: 1, skipped: 2 });
  });

  test("counts a file that does not load as a failure", () => {
    expect(countVitest({ testResults: [file("passed", "passed"), file("failed")] }, 1)).toEqual({
      passed: 1,
      failed: 1,
      skipped: 0,
    });
  });

  test("counts a failed runner although each of its tests passed", () => {
    expect(countVitest({ testResults: [file("passed", "passed")] }, 1).failed).toBe(1);
    const stats = { expected: 4, unexpected: 0, flaky: 0, skipped: 0 };
    expect(countPlaywright({ stats }, 1)).toEqual({ passed: 4, failed: 1, skipped: 0 });
  });

  test("counts a runner without a report, or without a test, as a failure", () => {
    expect(countVitest(null, 0).failed).toBe(1);
    expect(countPlaywright(null, 0).failed).toBe(1);
    expect(countVitest({ testResults: [] }, 0).failed).toBe(1);
  });

  test("counts Playwright's flaky tests and errors outside of tests as failures", () => {
    const stats = { expected: 5, unexpected: 1, flaky: 1, skipped: 2 };
    expect(countPlaywright({ stats, errors: [{}] }, 1)).toEqual({ passed: 5, failed: 3, skipped: 2 });
  });

  test("ends with one line that names skips only when there are some", () => {
    expect(summaryLine(sum([countCheck(0), { passed: 3, failed: 0, skipped: 0 }]))).toBe(
      "4 passed, 0 failed",
    );
    expect(summaryLine(sum([countCheck(1), { passed: 3, failed: 0, skipped: 2 }]))).toBe(
      "3 passed, 1 failed, 2 skipped",
    );
  });
});
