import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const fixedSeed = fileURLToPath(new URL("scripts/lib/fixed-seed.mjs", import.meta.url));

const node = (name: string, root: string) => ({
  extends: true as const,
  root,
  // Files share what they import, which saves half of the time; one that replaces a module reads its own again.
  test: {
    name,
    environment: "node" as const,
    include: ["**/*.test.{ts,mjs}"],
    isolate: false,
    setupFiles: [fixedSeed],
  },
});

const cli = node("cli", "apps/cli");
const builds = fileURLToPath(new URL("apps/cli/src/testing/build.mjs", import.meta.url));

// The time limit of an expectation; a loaded machine is slow, not broken.
const waitMs = 10_000;
const testTimeout = process.env.WARREN_LONG ? 120_000 : 60_000;

/** Making a document takes longer than most tests do, so that only files that need one have it. */
const web = (name: string, files: string, environment: "node" | "happy-dom") => ({
  extends: "apps/web/vite.config.ts",
  root: "apps/web",
  test: {
    name,
    environment,
    include: [files],
    // Files share libraries and the document; our own modules are read again for each.
    isolate: false,
    setupFiles: [fixedSeed, fileURLToPath(new URL("apps/web/src/testing/fresh-page.ts", import.meta.url))],
    expect: { poll: { timeout: waitMs } },
    testTimeout,
    hookTimeout: testTimeout,
    restoreMocks: true,
  },
});

export default defineConfig({
  test: {
    projects: [
      node("protocol", "packages/protocol"),
      node("core", "packages/core"),
      node("server", "apps/server"),
      { ...cli, test: { ...cli.test, globalSetup: builds } },
      node("scripts", "scripts"),
      node("bench", "bench"),
      web("web", "{src,build,page-scripts}/**/*.test.ts", "node"), // a few ask for a document by themselves
      web("screens", "src/**/*.test.tsx", "happy-dom"),
    ],
    pool: "forks",
    // Twice the processors of the smallest machine: stories of child processes mostly wait.
    maxWorkers: 4,
    expect: { poll: { timeout: waitMs } },
    testTimeout,
    hookTimeout: testTimeout,
    restoreMocks: true,
    // A test left out by accident must not look like a pass.
    allowOnly: false,
    passWithNoTests: false,
  },
});
