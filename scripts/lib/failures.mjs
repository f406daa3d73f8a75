/**
 * A failed test by its name, with the first line of what it said.
 * @typedef {{ name: string, reason: string }} Failure
 */

// Runners colour their messages also in a report.
const colours = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, "g");

/** @param {string | undefined} message */
function firstLine(message) {
  const lines = (message ?? "").replace(colours, "").split("\n");
  return lines.find((line) => line.trim() !== "")?.trim() ?? "";
}

/**
 * The failed tests of Vitest's JSON report. A file that fails as a whole is one.
 * @typedef {{ fullName: string, status: string, failureMessages?: string[] }} VitestTest
 * @typedef {{ name: string, status: string, message?: string, assertionResults: VitestTest[] }} VitestFile
 * @param {{ testResults: VitestFile[] } | null} report null when there is none
 * @returns {Failure[]}
 */
export function failuresOfVitest(report) {
  return (report?.testResults ?? []).flatMap((file) => {
    const failed = file.assertionResults.filter(({ status }) => status === "failed");
    if (failed.length === 0 && file.status === "failed") {
      return [{ name: file.name, reason: firstLine(file.message) }];
    }
    return failed.map(({ fullName, failureMessages }) => ({
      name: fullName.trim(),
      reason: firstLine(failureMessages?.[0]),
    }));
  });
}

/**
 * The failed tests of Playwright's JSON report, those that passed when tried again included, and errors outside of
 * tests.
 * @typedef {{ error?: { message?: string } }} PlaywrightResult
 * @typedef {{ tests: { status: string, results: PlaywrightResult[] }[], title: string, file: string }} PlaywrightSpec
 * @typedef {{ specs?: PlaywrightSpec[], suites?: PlaywrightSuite[] }} PlaywrightSuite
 * @param {{ suites?: PlaywrightSuite[], errors?: { message?: string }[] } | null} report null when there is none
 * @returns {Failure[]}
 */
export function failuresOfPlaywright(report) {
  const outside = (report?.errors ?? []).map(({ message }) => ({
    name: "outside of tests",
    reason: firstLine(message),
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
        reason: firstLine(results.find(({ error }) => error !== undefined)?.error?.message),
      })),
  );
  return [...here, ...suites.flatMap(failuresOfSuite)];
}
