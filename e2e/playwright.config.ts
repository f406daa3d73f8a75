import { defineConfig } from "@playwright/test";
import { shellOptions } from "./support/browser.ts";

const isLong = process.env.WARREN_LONG === "1";

export default defineConfig({
  testDir: "tests",
  testMatch: "**/*.spec.ts",
  outputDir: "results",
  // Tests of a worker share its server and browser, but no room and no browser context.
  fullyParallel: true,
  // One more than the processors it is meant for: much of a test is spent waiting, for example for a
  // connection to be given up.
  workers: 3,
  // A test that passes the second time is broken too.
  retries: 0,
  forbidOnly: true,
  // A loaded machine is slow, not broken: only a failing test takes this long.
  timeout: isLong ? 600_000 : 240_000,
  // Expectations that wait for more than a page, such as for the end of an attempt to connect, have their own limits.
  expect: { timeout: 10_000, toPass: { timeout: 60_000 } },
  reporter: "list",
  use: {
    browserName: "chromium",
    launchOptions: shellOptions,
    locale: "en-US",
    // Only tests about it enable it: it would answer requests before `page.route` does.
    serviceWorkers: "block",
    actionTimeout: 60_000,
    // Recording a trace costs nearly as much as the test itself; enable it with `--trace=retain-on-failure`.
    trace: "off",
    screenshot: "only-on-failure",
  },
});
