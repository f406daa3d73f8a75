import { readFile } from "node:fs/promises";
import { Zstd } from "../transfer/compression/zstd.ts";

/** Loads the zstd library from the file system of Node. */
export async function loadZstdModule(): Promise<WebAssembly.Module> {
  return new WebAssembly.Module(await readFile(new URL("../../zstd/zstd.wasm", import.meta.url)));
}

/** Creates the zstd codec for tests. */
export function createZstd(): Zstd {
  return new Zstd(loadZstdModule);
}
