import { createRequire } from "node:module";
import { dirname, join } from "node:path";

const require = createRequire(import.meta.url);

/** Of the zstd library only the WebAssembly is taken, which its package keeps behind its own loader. */
export const zstdAlias = {
  find: /^zstd\.wasm(?=\?)/,
  replacement: join(dirname(require.resolve("@bokuweb/zstd-wasm")), "zstd.wasm"),
};
