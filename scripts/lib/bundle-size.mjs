import { gzipSync } from "node:zlib";

/**
 * @typedef {{ file: string, name?: string, isEntry?: boolean, imports?: string[], dynamicImports?: string[] }} Chunk
 * @typedef {Record<string, Chunk>} Manifest Vite's, by source name
 */

/**
 * The files of a chunk and of all its static imports, without duplicates.
 * @param {Manifest} manifest
 * @param {readonly string[]} names keys of the manifest
 * @param {Set<string>} [seen]
 * @returns {Set<string>}
 */
export function staticFiles(manifest, names, seen = new Set()) {
  for (const name of names) {
    const chunk = manifest[name];
    if (chunk === undefined || seen.has(chunk.file)) continue;
    seen.add(chunk.file);
    staticFiles(manifest, chunk.imports ?? [], seen);
  }
  return seen;
}

/**
 * The compressed transfer size of JavaScript.
 * @param {Uint8Array | string} code
 * @returns {number} kilobytes of 1000 bytes
 */
export function gzipKilobytes(code) {
  return gzipSync(code, { level: 9 }).length / 1000;
}
