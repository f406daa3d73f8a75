import { basename } from "node:path";

/**
 * A failed test with the first lines of its message: enough to start with when only a log is available.
 * @typedef {{ name: string, reason: readonly string[] }} Failure
 */

const linesOfReason = 6;

// Runners colour their messages even in a report.
const colours = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, "g");

/** @param {string | undefined} message */
function firstLines(message) {
  const lines = (message ?? "").replace(colours, "").split("\n");
  return lines.filter((line) => line.trim() !== "").slice(0, linesOfReason);
}

/**
 * The failed tests of Vitest's JSON report. A file that fails as a whole counts as one.
 * @typedef {{ fullName: string, status: string, failureMessages?: string[] }} VitestTest
 * @typedef {{ name: string, status: string, message?: string, assertionResults: VitestTest[] }} VitestFile
 * @param {{ testResults: VitestFile[] } | null} report null when there is none
 * @returns {Failure[]}
 */
export function failuresOfVitest(report) {
  return (report?.testResults ?? []).flatMap((file) => {
    const failed = file.assertionResults.filter(({ status }) => status === "failed");
    if (failed.length === 0 && file.status === "failed") {
      return [{ name: file.name, reason: firstLines(file.message) }];
    }
    return failed.map(({ fullName, failureMessages }) => ({
      name: fullName.trim(),
      reason: firstLines(failureMessages?.[0]),
    }));
  });
}

/**
 * The failed tests of Playwright's JSON report, including those that passed on a retry, and errors outside of
 * tests.
 * @typedef {{ message?: string, location?: { file: string, line: number } }} PlaywrightError
 * @typedef {{ errors?: PlaywrightError[] }} PlaywrightResult
 * @typedef {{ tests: { status: string, results: PlaywrightResult[] }[], title: string, file: string }} PlaywrightSpec
 * @typedef {{ specs?: PlaywrightSpec[], suites?: PlaywrightSuite[] }} PlaywrightSuite
 * @param {{ suites?: PlaywrightSuite[], errors?: { message?: string }[] } | null} report null when there is none
 * @returns {Failure[]}
 */
export function failuresOfPlaywright(report) {
  const outside = (report?.errors ?? []).map(({ message }) => ({
    name: "outside of tests",
    reason: firstLines(message),
  }));
  return [...(report?.suites ?? []).flatMap(failuresOfSuite), ...outside];
}

/**
 * @param {PlaywrightSuite} suite
 * @returns {Failure[]}
 */
function failuresOfSuite({ specs = [], suites = [] }) {
  const here = specs.flatMap(({ tests, title, file }) =>
    tests
      .filter(({ status }) => status === "unexpected" || status === "flaky")
      .map(({ results }) => ({
        name: `${file}: ${title}`,
        // A timeout is reported first, and the awaited condition after it.
        reason: (results.find(({ errors }) => errors?.length)?.errors ?? []).flatMap(linesOfError),
      })),
  );
  return [...here, ...suites.flatMap(failuresOfSuite)];
}

/**
 * @param {PlaywrightError} error
 * @returns {string[]}
 */
function linesOfError({ message, location }) {
  const place = location === undefined ? [] : [`at ${basename(location.file)}:${location.line}`];
  return [...firstLines(message), ...place];
}
