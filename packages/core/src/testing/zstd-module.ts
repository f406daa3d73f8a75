import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { Zstd } from "../transfer/compression/zstd.ts";

const require = createRequire(import.meta.url);

/** Loads the zstd library from the file system of Node. */
export async function loadZstdModule(): Promise<WebAssembly.Module> {
  const folder = dirname(require.resolve("@bokuweb/zstd-wasm"));
  return new WebAssembly.Module(await readFile(join(folder, "zstd.wasm")));
}

/** Creates the zstd codec for tests. */
export function createZstd(): Zstd {
  return new Zstd(loadZstdModule);
}
