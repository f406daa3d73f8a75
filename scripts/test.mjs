import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { countCheck, countPlaywright, countVitest, sum, summaryLine } from "./lib/counts.mjs";
import { failuresOfPlaywright, failuresOfVitest } from "./lib/failures.mjs";
import { ensureInstalled } from "./lib/installed.mjs";
import { requireSupportedNode } from "./lib/node-version.mjs";
import { ensurePrograms } from "./lib/programs.mjs";
import { run } from "./lib/run.mjs";
import { slowestOfPlaywright } from "./lib/slowest.mjs";

requireSupportedNode();

if (process.argv.includes("--long")) process.env.WARREN_LONG = "1";

const reports = mkdtempSync(join(tmpdir(), "warren-test-"));
const unitReport = join(reports, "unit.json");
const browserReport = join(reports, "browser.json");

/** @param {string} path */
function readReport(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    return null; // the runner ended before it could write one
  }
}

/** @param {string} script */
async function check(script) {
  const counts = countCheck(await run("npm", ["run", "--silent", script]));
  return { counts, failures: [], slowest: [] };
}

async function unitTests() {
  await ensurePrograms("redis", "openssl", "coturn");
  const args = ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${unitReport}`];
  const exitCode = await run("vitest", args);
  const report = readReport(unitReport);
  return { counts: countVitest(report, exitCode), failures: failuresOfVitest(report), slowest: [] };
}

async function browserTests() {
  await ensurePrograms("chromium", "chromiumShell", "firefox", "coturn");
  const args = ["test", "--config=e2e/playwright.config.ts", "--reporter=list,json"];
  const exitCode = await run("playwright", args, { PLAYWRIGHT_JSON_OUTPUT_FILE: browserReport });
  const report = readReport(browserReport);
  const slowest = slowestOfPlaywright(report, 5);
  return { counts: countPlaywright(report, exitCode), failures: failuresOfPlaywright(report), slowest };
}

const isQuick = process.argv.includes("--quick");

/** Run in this order; each runs even if earlier ones failed. */
const steps = [
  { name: "lint", perform: () => check("lint") },
  { name: "types", perform: () => check("types") },
  ...(isQuick ? [] : [{ name: "unused", perform: () => check("unused") }]),
  { name: "unit", perform: unitTests },
  ...(isQuick
    ? []
    : [
        { name: "build", perform: () => check("build") },
        { name: "browser", perform: browserTests },
      ]),
];

const installCode = await ensureInstalled();
if (installCode !== 0) {
  console.error("The packages could not be installed, so nothing was tested.");
  console.log(summaryLine({ passed: 0, failed: 1, skipped: 0 }));
  process.exit(installCode);
}

const results = [];
for (const { name, perform } of steps) {
  console.log(`\n── ${name} ──`);
  const startMs = performance.now();
  const { counts, failures, slowest } = await perform();
  results.push({ name, ...counts, failures, slowest, seconds: (performance.now() - startMs) / 1000 });
}
rmSync(reports, { recursive: true, force: true });

console.log("\nstep       passed  failed  skipped  seconds");
for (const { name, passed, failed, skipped, seconds } of results) {
  const cells = [passed, failed, skipped].map((count, i) => String(count).padStart([8, 8, 9][i] ?? 0));
  console.log(`${name.padEnd(9)}${cells.join("")}${seconds.toFixed(1).padStart(9)}`);
}

const slowest = results.flatMap((result) => result.slowest);
if (slowest.length > 0) console.log("\nslowest in browsers:");
for (const { name, seconds } of slowest) console.log(`${seconds.toFixed(1).padStart(7)} s  ${name}`);

const failures = results.flatMap((result) => result.failures);
if (failures.length > 0) console.log("\nfailed:");
for (const { name, reason } of failures) console.log([`  ${name}`, ...reason].join("\n    "));

const total = sum(results);
const ran = results.some(({ name, passed }) => (name === "unit" || name === "browser") && passed > 0);
console.log(`\n${summaryLine(total)}`);
process.exitCode = total.failed > 0 || !ran ? 1 : 0;
