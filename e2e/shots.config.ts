import { defineConfig } from "@playwright/test";
import tests from "./playwright.config.ts";

/** Pictures of every screen, in `e2e/results/shots`: `npm run shots`. Nothing is checked but that they can be made. */
export default defineConfig({
  ...tests,
  testDir: "shots",
  testMatch: "**/*.shots.ts",
  outputDir: "results/shots-run",
  use: { ...tests.use, trace: "off", screenshot: "off" },
});
