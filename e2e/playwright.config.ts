import { defineConfig } from "@playwright/test";
import { shellOptions } from "./support/browser.ts";

const isLong = process.env.WARREN_LONG === "1";

export default defineConfig({
  testDir: "tests",
  testMatch: "**/*.spec.ts",
  outputDir: "results",
  // Every test has a server and browsers of its own.
  fullyParallel: true,
  // One more than the processors it is meant for: much of a test is waiting for what takes its time, such as a lost connection.
  workers: 3,
  // A test that passes the second time is broken too.
  retries: 0,
  forbidOnly: true,
  // A machine that has much else to do is slow, not wrong: only a test that fails takes as long as this.
  timeout: isLong ? 600_000 : 240_000,
  expect: { timeout: 45_000 },
  reporter: "list",
  use: {
    browserName: "chromium",
    launchOptions: shellOptions,
    locale: "en-US",
    // It is off but in the tests about it: it would answer what `page.route` is to answer.
    serviceWorkers: "block",
    actionTimeout: 60_000,
    // Recording what a test does costs nearly as much as doing it: `--trace=retain-on-failure` asks for it.
    trace: "off",
    screenshot: "only-on-failure",
  },
});
