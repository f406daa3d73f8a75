import { readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import { codeOf, faultsOf } from "./lib/first-load.mjs";
import { root } from "./lib/project.mjs";

/** More than this until two people meet needs a reason in docs/decisions/0022. */
const watchedKb = 300;

const dist = join(root, "apps/web/dist");
const page = readFileSync(join(dist, "index.html"), "utf8");
/** @type {import("./lib/first-load.mjs").Manifest} */
const manifest = JSON.parse(readFileSync(join(dist, ".vite/manifest.json"), "utf8"));

/** @param {readonly string[]} files */
const brotliKb = (files) =>
  files.reduce((sum, file) => sum + brotliCompressSync(readFileSync(join(dist, file))).length / 1000, 0);

const first = codeOf(page);
/** Evaluated before the handshake: what opens the socket, and what meets. */
const executed = first.filter((file) => /\/(?:ahead|index)-[^/]+$/.test(file));
const untilMetKb = brotliKb(first);
console.log(`executed-before-met-js-brotli-kB: ${brotliKb(executed).toFixed(1)}`);
console.log(`until-met-js-brotli-kB: ${untilMetKb.toFixed(1)}`);
if (untilMetKb > watchedKb)
  console.log(`More than ${watchedKb} kB until met: say why in docs/decisions/0022.`);
for (const fault of faultsOf(page, manifest)) {
  console.error(fault);
  process.exitCode = 1;
}
