import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";

/** The licences of everything in the build; `build.license` writes those of its code there. */
export const licensesFile = "licenses.txt";

const { resolve } = createRequire(import.meta.url);
/** Packages of which the build includes assets but no code, which `build.license` does not see. */
const assetLicenses = {
  "@fontsource-variable/inter": resolve("@fontsource-variable/inter/LICENSE"),
  "@fontsource-variable/jetbrains-mono": resolve("@fontsource-variable/jetbrains-mono/LICENSE"),
  zstd: fileURLToPath(new URL("../../../packages/core/zstd/LICENSE", import.meta.url)),
};

/** Adds the licences of fonts and WebAssembly to those of the code. */
export function addAssetLicenses(): Plugin {
  return {
    name: "add-asset-licenses",
    apply: "build",
    generateBundle: {
      order: "post",
      handler(_options, bundle) {
        const file = bundle[licensesFile];
        if (file?.type !== "asset") this.error(`${licensesFile} is missing from the build`);
        const added = Object.entries(assetLicenses).map(
          ([name, path]) => `## ${name}\n\n${readFileSync(path, "utf8").trim()}\n`,
        );
        file.source = [String(file.source).trim(), ...added].join("\n\n");
      },
    },
  };
}
