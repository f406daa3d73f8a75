import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

/** Builds a page that runs the storage contract in a real browser, with a minimal test runner. */
export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  resolve: {
    alias: [{ find: "vitest", replacement: fileURLToPath(new URL("./page-runner.ts", import.meta.url)) }],
  },
  worker: { format: "es" },
  build: { modulePreload: { polyfill: false }, target: "esnext" },
});
