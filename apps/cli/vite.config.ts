import { defineConfig } from "vite";
import own from "./package.json" with { type: "json" };

// One file with all that npm need not install: only WebRTC has a native part.
export default defineConfig({
  define: { __VERSION__: JSON.stringify(own.version) },
  build: {
    ssr: true,
    target: "node20",
    sourcemap: true,
    outDir: "dist",
    rolldownOptions: {
      input: { warren: "src/main.ts", server: "../server/src/main.ts" },
      output: { banner: "#!/usr/bin/env node", entryFileNames: "[name].js", chunkFileNames: "[name].js" },
    },
  },
  ssr: { noExternal: true, external: ["node-datachannel"] },
});
