import { defineConfig } from "vite";

// One file with our own packages inside; what npm installs stays outside and is found beside it.
export default defineConfig({
  build: {
    ssr: "src/main.ts",
    target: "node20",
    sourcemap: true,
    rolldownOptions: { output: { entryFileNames: "main.js" } },
  },
  ssr: { noExternal: [/^@warren\//] },
});
