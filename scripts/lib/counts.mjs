/**
 * The result of one step of the test run.
 * @typedef {{ passed: number, failed: number, skipped: number }} Counts
 */

/**
 * A step that counts as a single check.
 * @param {number} exitCode
 * @returns {Counts}
 */
export function countCheck(exitCode) {
  return exitCode === 0 ? { passed: 1, failed: 0, skipped: 0 } : { passed: 0, failed: 1, skipped: 0 };
}

/**
 * A runner that failed without a failed test (a file that does not load, an unhandled rejection, no test at all)
 * counts as one failure, so that a sum without failures means a run without failures.
 * @param {Counts} counts
 * @param {number} exitCode
 * @returns {Counts}
 */
function withRunner(counts, exitCode) {
  const ran = counts.passed + counts.failed > 0;
  return counts.failed === 0 && (exitCode !== 0 || !ran) ? { ...counts, failed: 1 } : counts;
}

/**
 * Counts from Vitest's JSON report. A file that fails as a whole counts as one failure.
 * @typedef {{ status: string, assertionResults: { status: string }[] }} VitestFile
 * @param {{ testResults: VitestFile[] } | null} report null when there is none
 * @param {number} exitCode
 * @returns {Counts}
 */
export function countVitest(report, exitCode) {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const { status, assertionResults } of report?.testResults ?? []) {
    const tests = assertionResults.map((test) => test.status);
    const failed = tests.filter((test) => test === "failed").length;
    const passed = tests.filter((test) => test === "passed").length;
    counts.passed += passed;
    counts.failed += status === "failed" && failed === 0 ? 1 : failed;
    counts.skipped += tests.length - passed - failed;
  }
  return withRunner(counts, exitCode);
}

/**
 * Counts from Playwright's JSON report. A flaky test is a broken one; an error outside of tests counts as one.
 * @typedef {{ expected: number, unexpected: number, flaky: number, skipped: number }} PlaywrightStats
 * @param {{ stats: PlaywrightStats, errors?: unknown[] } | null} report null when there is none
 * @param {number} exitCode
 * @returns {Counts}
 */
export function countPlaywright(report, exitCode) {
  const { expected = 0, unexpected = 0, flaky = 0, skipped = 0 } = report?.stats ?? {};
  const failed = unexpected + flaky + (report?.errors?.length ?? 0);
  return withRunner({ passed: expected, failed, skipped }, exitCode);
}

/**
 * @param {readonly Counts[]} all
 * @returns {Counts}
 */
export function sum(all) {
  return all.reduce(
    (total, counts) => ({
      passed: total.passed + counts.passed,
      failed: total.failed + counts.failed,
      skipped: total.skipped + counts.skipped,
    }),
    { passed: 0, failed: 0, skipped: 0 },
  );
}

/**
 * The last line of a test run.
 * @param {Counts} counts
 */
export function summaryLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}
