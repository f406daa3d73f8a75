import { defineConfig } from "@playwright/test";
import { launchOptions } from "./support/browser.ts";

const isLong = process.env.WARREN_LONG === "1";

export default defineConfig({
  testDir: "tests",
  testMatch: "**/*.spec.ts",
  outputDir: "results",
  // Every test has a server and browsers of its own.
  fullyParallel: true,
  workers: 2,
  // A test that passes the second time is broken too.
  retries: 0,
  forbidOnly: true,
  timeout: isLong ? 600_000 : 120_000,
  expect: { timeout: 20_000 },
  reporter: "list",
  use: {
    browserName: "chromium",
    launchOptions,
    locale: "en-US",
    actionTimeout: 30_000,
    trace: "retain-on-failure",
    screenshot: "only-on-failure",
  },
});
