import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

/** A page that runs the storage contract in a real browser, with a test runner small enough to go along. */
export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  resolve: { alias: { vitest: fileURLToPath(new URL("./page-runner.ts", import.meta.url)) } },
  worker: { format: "es" },
  build: { modulePreload: { polyfill: false }, target: "esnext" },
});
