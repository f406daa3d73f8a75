import { defineConfig } from "@playwright/test";
import tests from "./playwright.config.ts";
import { launchOptions } from "./support/browser.ts";

/** Screenshots of every screen, in `e2e/shots/results`: `npm run shots`. Fails if anything is cut off. */
export default defineConfig({
  ...tests,
  testDir: "shots",
  testMatch: "**/*.shots.ts",
  outputDir: "shots/run",
  use: { ...tests.use, launchOptions, trace: "off", screenshot: "off" },
});
