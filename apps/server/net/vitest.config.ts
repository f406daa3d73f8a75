import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

// Takes minutes and needs an idle machine, so it is not part of `npm test`.
export default defineConfig({
  test: {
    root: fileURLToPath(new URL(".", import.meta.url)),
    include: ["*.net.ts"],
    testTimeout: 300_000,
    hookTimeout: 180_000,
    pool: "forks",
    reporters: ["verbose"],
  },
});
