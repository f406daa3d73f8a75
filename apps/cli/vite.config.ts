import { defineConfig } from "vite";
import own from "./package.json" with { type: "json" };

// One file with all that npm need not install: only WebRTC has a native part.
export default defineConfig({
  define: { __VERSION__: JSON.stringify(own.version) },
  build: {
    ssr: "src/main.ts",
    target: "node20",
    sourcemap: true,
    outDir: "dist",
    rolldownOptions: {
      output: { banner: "#!/usr/bin/env node", entryFileNames: "warren.js", chunkFileNames: "[name].js" },
    },
  },
  ssr: { noExternal: true, external: ["node-datachannel"] },
});
