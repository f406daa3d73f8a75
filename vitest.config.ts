import { defineConfig } from "vitest/config";

const node = (name: string, root: string) => ({
  extends: true as const,
  root,
  test: { name, environment: "node" as const, include: ["**/*.test.{ts,mjs}"] },
});

export default defineConfig({
  test: {
    projects: [
      node("protocol", "packages/protocol"),
      node("core", "packages/core"),
      node("server", "apps/server"),
      node("scripts", "scripts"),
      {
        extends: "apps/web/vite.config.ts",
        root: "apps/web",
        test: {
          name: "web",
          environment: "happy-dom",
          include: ["src/**/*.test.{ts,tsx}"],
          testTimeout: 10_000,
          restoreMocks: true,
        },
      },
    ],
    pool: "forks",
    maxWorkers: 2,
    testTimeout: process.env.WARREN_LONG ? 120_000 : 10_000,
    hookTimeout: 20_000,
    restoreMocks: true,
    // A test left out by accident must not look like a pass.
    allowOnly: false,
    passWithNoTests: false,
  },
});
