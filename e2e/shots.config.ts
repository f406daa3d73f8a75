import { defineConfig } from "@playwright/test";
import tests from "./playwright.config.ts";
import { launchOptions } from "./support/browser.ts";

/** Pictures of every screen, in `e2e/results/shots`: `npm run shots`. They show that all fits, and fail where it does not. */
export default defineConfig({
  ...tests,
  testDir: "shots",
  testMatch: "**/*.shots.ts",
  outputDir: "results/shots-run",
  use: { ...tests.use, launchOptions, trace: "off", screenshot: "off" },
});
