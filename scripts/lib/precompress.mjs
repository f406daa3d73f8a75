import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";

/** Pictures and fonts are compressed already. */
const compressible = new Set([".css", ".html", ".js", ".json", ".svg", ".txt", ".wasm", ".webmanifest"]);

/** @type {Readonly<Record<string, (body: Buffer) => Promise<Buffer>>>} */
const compressors = {
  ".gz": (body) => promisify(gzip)(body, { level: 9 }),
  ".br": (body) =>
    promisify(brotliCompress)(body, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
      },
    }),
};

/**
 * Writes `.br` and `.gz` beside each file of a built site that is smaller that way, and removes old ones that are not.
 * The page comes last, so that it has both only if all files do.
 * @param {string} folder
 * @returns {Promise<{ files: number, bytes: number, brotliBytes: number }>} the compressed files and their sizes
 */
export async function precompress(folder) {
  const paths = (await readdir(folder, { recursive: true }))
    .filter((path) => compressible.has(extname(path)) && !path.startsWith("."))
    .sort((a, b) => Number(a === "index.html") - Number(b === "index.html"));
  const sum = { files: 0, bytes: 0, brotliBytes: 0 };
  for (const path of paths) {
    const location = join(folder, path);
    const body = await readFile(location);
    const [, brotliBytes] = await Promise.all(
      Object.entries(compressors).map(async ([extension, compress]) => {
        const packed = await compress(body);
        if (packed.length < body.length) await writeFile(location + extension, packed);
        else await rm(location + extension, { force: true });
        return Math.min(packed.length, body.length);
      }),
    );
    sum.files += 1;
    sum.bytes += body.length;
    sum.brotliBytes += brotliBytes ?? body.length;
  }
  return sum;
}
