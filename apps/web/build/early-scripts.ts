import { readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { minifySync, type Plugin } from "vite";

/** The scripts of public/, which run before all others. */
const earlyScripts = ["theme.js", "unsupported.js"];

/** A file of public/ as it is in the build. */
export function builtPublicFile(file: string): string | Uint8Array {
  const name = basename(file);
  if (!earlyScripts.includes(name)) return readFileSync(file);
  // Without its spaces it would be printed with template literals, which old browsers do not understand.
  const options = { compress: false, mangle: true, codegen: { removeWhitespace: false } } as const;
  const { code, errors } = minifySync(name, readFileSync(file, "utf8"), options);
  if (errors[0] !== undefined) throw new Error(`${name}: ${errors[0].message}`);
  return code.replace(/^\s+/gm, "");
}

/** Removes comments and indentation from the scripts of public/, and nothing that would need a newer browser. */
export function minifyEarlyScripts(): Plugin {
  let publicDir = "";
  return {
    name: "minify-early-scripts",
    apply: "build",
    configResolved(config) {
      publicDir = config.publicDir;
    },
    writeBundle({ dir = "" }) {
      for (const name of earlyScripts) writeFileSync(join(dir, name), builtPublicFile(join(publicDir, name)));
    },
  };
}
