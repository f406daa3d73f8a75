import { defineConfig } from "vite";

// Our own packages go inside, and rooms over Redis into files that only they load who use it; what npm installs stays outside.
export default defineConfig({
  build: {
    ssr: "src/main.ts",
    target: "node20",
    sourcemap: true,
    rolldownOptions: { output: { entryFileNames: "main.js", chunkFileNames: "[name].js" } },
  },
  ssr: { noExternal: [/^@warren\//] },
});
