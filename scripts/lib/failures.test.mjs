import { describe, expect, test } from "vitest";
import { failuresOfPlaywright, failuresOfVitest } from "./failures.mjs";

describe("Vitest's report", () => {
  test("names each failed test with the first line of its reason, without colours", () => {
    const report = {
      testResults: [
        {
          name: "a.test.ts",
          status: "failed",
          assertionResults: [
            {
              fullName: "a file arrives",
              status: "failed",
              failureMessages: ["\n\u001b[31mno\u001b[39m\nat x"],
            },
            { fullName: "a file is sent", status: "passed" },
          ],
        },
      ],
    };
    expect(failuresOfVitest(report)).toEqual([{ name: "a file arrives", reason: "no" }]);
  });

  test("names a file that does not load", () => {
    const report = {
      testResults: [{ name: "b.test.ts", status: "failed", message: "no such module", assertionResults: [] }],
    };
    expect(failuresOfVitest(report)).toEqual([{ name: "b.test.ts", reason: "no such module" }]);
  });

  test("is empty without a report", () => {
    expect(failuresOfVitest(null)).toEqual([]);
  });
});

describe("Playwright's report", () => {
  /**
   * @param {string} title
   * @param {string} status
   * @param {string} [message]
   */
  const spec = (title, status, message) => ({
    title,
    file: "c.spec.ts",
    tests: [{ status, results: message === undefined ? [] : [{}, { error: { message } }] }],
  });

  test("names failed and flaky tests at any depth, and what failed outside of them", () => {
    const report = {
      suites: [
        {
          specs: [spec("meets", "expected"), spec("parts", "unexpected", "timed out\nat y")],
          suites: [{ specs: [spec("returns", "flaky", "late")] }],
        },
      ],
      errors: [{ message: "no browser" }],
    };
    expect(failuresOfPlaywright(report)).toEqual([
      { name: "c.spec.ts: parts", reason: "timed out" },
      { name: "c.spec.ts: returns", reason: "late" },
      { name: "outside of tests", reason: "no browser" },
    ]);
  });

  test("is empty without a report", () => {
    expect(failuresOfPlaywright(null)).toEqual([]);
  });
});
