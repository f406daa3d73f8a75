/**
 * The slowest browser tests, slowest first.
 * @typedef {{ tests: { results: { duration?: number }[] }[], title: string, file: string }} TimedSpec durations in ms
 * @typedef {{ specs?: TimedSpec[], suites?: TimedSuite[] }} TimedSuite
 * @param {{ suites?: TimedSuite[] } | null} report Playwright's; null when there is none
 * @param {number} count
 * @returns {{ name: string, seconds: number }[]}
 */
export function slowestOfPlaywright(report, count) {
  return (report?.suites ?? [])
    .flatMap(timesOfSuite)
    .sort((one, other) => other.seconds - one.seconds)
    .slice(0, count);
}

/**
 * @param {TimedSuite} suite
 * @returns {{ name: string, seconds: number }[]}
 */
function timesOfSuite({ specs = [], suites = [] }) {
  const here = specs.map(({ tests, title, file }) => ({
    name: `${file}: ${title}`,
    seconds:
      tests.flatMap(({ results }) => results).reduce((sum, { duration = 0 }) => sum + duration, 0) / 1000,
  }));
  return [...here, ...suites.flatMap(timesOfSuite)];
}
