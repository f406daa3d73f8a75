import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const require = createRequire(import.meta.url);

/** Only the WebAssembly of the zstd library is used; its package hides it behind its own loader. */
export const zstdAlias = {
  find: /^zstd\.wasm(?=\?)/,
  replacement: join(dirname(require.resolve("@bokuweb/zstd-wasm")), "zstd.wasm"),
};
