import { resolve } from "node:path";
import { precompress } from "./lib/precompress.mjs";

// After the build of the web app: compressing at each request, or at each start of the server, would take too long at
// the quality that pays.
const folder = resolve(process.argv[2] ?? "dist");
const { files, bytes, brotliBytes } = await precompress(folder);
const kb = (/** @type {number} */ count) => Math.round(count / 1000);
console.log(`${files} files compressed: ${kb(bytes)} kB, ${kb(brotliBytes)} kB with brotli`);
