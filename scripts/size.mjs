import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipKilobytes, staticFiles } from "./lib/bundle-size.mjs";
import { root } from "./lib/project.mjs";

// Everything fetched until two people meet (docs/decisions/0022).
const firstLoadLimitKb = 200;
const lazyChunkLimitKb = 80;

const dist = join(root, "apps/web/dist");
/** @type {import("./lib/bundle-size.mjs").Manifest} */
const manifest = JSON.parse(readFileSync(join(dist, ".vite/manifest.json"), "utf8"));

/** @param {string} file */
const sizeKb = (file) => gzipKilobytes(readFileSync(join(dist, file)));

/** All that the page names, and nothing else is fetched before two people meet: e2e/tests/first-load.spec.ts. */
const page = readFileSync(join(dist, "index.html"), "utf8");
const firstFiles = [
  ...new Set(
    Array.from(page.matchAll(/<(?:script|link) [^>]*(?:src|href)="\/([^"]+\.js)"/g), ([, file = ""]) => file),
  ),
];
const firstLoadKb = firstFiles.reduce((total, file) => total + sizeKb(file), 0);

/** With "New room" on the start page, also the toast about its link, the room's page and the words of both are fetched. */
const openingNames = Object.keys(manifest).filter((name) =>
  ["toasts", "room", "en-us"].includes(manifest[name]?.name ?? ""),
);
const untilOpenFiles = new Set([...firstFiles, ...staticFiles(manifest, openingNames)]);
const untilOpenKb = [...untilOpenFiles]
  .filter((file) => file.endsWith(".js"))
  .reduce((total, file) => total + sizeKb(file), 0);

/** Core's code for files is needed only after the meeting: without its own chunk, it would be in the first files. */
const hasLateFiles = Object.values(manifest).some(
  ({ name, file }) => name === "file-exchange" && !firstFiles.includes(file),
);

const allFiles = new Set(Object.values(manifest).map(({ file }) => file));
const lazyChunks = [...allFiles]
  .filter((file) => file.endsWith(".js") && !firstFiles.includes(file))
  .map((file) => ({ file, kb: sizeKb(file) }))
  .sort((a, b) => b.kb - a.kb);
const largest = lazyChunks[0] ?? { file: "none", kb: 0 };

console.log(`until-met-js-gzip-kB: ${firstLoadKb.toFixed(1)}`);
console.log(`start-page-until-room-open-js-gzip-kB: ${untilOpenKb.toFixed(1)}`);
console.log(`largest-lazy-chunk-gzip-kB: ${largest.kb.toFixed(1)} (${largest.file})`);

if (firstLoadKb > firstLoadLimitKb) {
  console.error(`Meeting takes more than ${firstLoadLimitKb} kB of JavaScript.`);
  process.exitCode = 1;
}
if (!hasLateFiles) {
  console.error("The code for files is loaded before two people meet.");
  process.exitCode = 1;
}
for (const { file, kb } of lazyChunks.filter((chunk) => chunk.kb > lazyChunkLimitKb)) {
  console.error(
    `${file} has ${kb.toFixed(1)} kB, more than the ${lazyChunkLimitKb} kB of a lazily loaded chunk.`,
  );
  process.exitCode = 1;
}
