import { defineConfig } from "@playwright/test";
import tests from "./playwright.config.ts";
import { launchOptions } from "./support/browser.ts";

/** Screenshots of every screen, in `e2e/results/shots`: `npm run shots`. Fails if anything is cut off. */
export default defineConfig({
  ...tests,
  testDir: "shots",
  testMatch: "**/*.shots.ts",
  outputDir: "results/shots-run",
  use: { ...tests.use, launchOptions, trace: "off", screenshot: "off" },
});
