import { describe, expect, test } from "vitest";
import { failuresOfPlaywright, failuresOfVitest } from "./failures.mjs";

describe("Vitest's report", () => {
  test("names each failed test with the first lines of its reason, without colours", () => {
    const report = {
      testResults: [
        {
          name: "a.test.ts",
          status: "failed",
          assertionResults: [
            {
              fullName: "a file arrives",
              status: "failed",
              failureMessages: ["\n\u001b[31mno\u001b[39m\n\n1\n2\n3\n4\n5\n6"],
            },
            { fullName: "a file is sent", status: "passed" },
          ],
        },
      ],
    };
    expect(failuresOfVitest(report)).toEqual([
      { name: "a file arrives", reason: ["no", "1", "2", "3", "4", "5"] },
    ]);
  });

  test("names a file that does not load", () => {
    const report = {
      testResults: [{ name: "b.test.ts", status: "failed", message: "no such module", assertionResults: [] }],
    };
    expect(failuresOfVitest(report)).toEqual([{ name: "b.test.ts", reason: ["no such module"] }]);
  });

  test("is empty without a report", () => {
    expect(failuresOfVitest(null)).toEqual([]);
  });
});

describe("Playwright's report", () => {
  const asError = (/** @type {string} */ message) => ({
    message,
    location: { file: "/repository/tests/c.spec.ts", line: 7 },
  });
  /**
   * @param {string} title
   * @param {string} status
   * @param {string[]} messages
   */
  const spec = (title, status, ...messages) => ({
    title,
    file: "c.spec.ts",
    tests: [{ status, results: [{ errors: [] }, { errors: messages.map(asError) }] }],
  });

  test("names failed and flaky tests at any depth, and what failed outside of them", () => {
    const report = {
      suites: [
        {
          specs: [
            spec("meets", "expected"),
            spec("parts", "unexpected", "timed out", "waited for\n\na button"),
          ],
          suites: [{ specs: [spec("returns", "flaky", "late")] }],
        },
      ],
      errors: [{ message: "no browser" }],
    };
    const place = "at c.spec.ts:7";
    expect(failuresOfPlaywright(report)).toEqual([
      { name: "c.spec.ts: parts", reason: ["timed out", place, "waited for", "a button", place] },
      { name: "c.spec.ts: returns", reason: ["late", place] },
      { name: "outside of tests", reason: ["no browser"] },
    ]);
  });

  test("is empty without a report", () => {
    expect(failuresOfPlaywright(null)).toEqual([]);
  });
});
