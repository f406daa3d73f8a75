import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Plugin } from "vite";
import { licensesFile } from "./licenses.ts";
import { buildTarget } from "./minimum-browsers.ts";

const entry = fileURLToPath(new URL("../src/service-worker/service-worker.ts", import.meta.url));

/**
 * Fonts of alphabets that few texts need, which the browser caches itself once used, and files that few
 * people open.
 */
const isRare = (path: string): boolean =>
  path === licensesFile || (path.endsWith(".woff2") && !/-latin-(?:opsz|wght)-/.test(path));

function integrityOf(content: string | Uint8Array): string {
  return `sha256-${createHash("sha256").update(content).digest("base64")}`;
}

function publicFiles(folder: string): readonly (readonly [path: string, integrity: string])[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const file = join(entry.parentPath, entry.name);
      return [file.slice(folder.length).replaceAll("\\", "/"), integrityOf(readFileSync(file))] as const;
    });
}

/**
 * Builds `/sw.js` after everything else, as a single file with the list of files to cache: every file of the
 * app with its digest. It therefore changes whenever any file does, which is how browsers detect a new
 * version.
 */
export function buildServiceWorker(): Plugin {
  let define: Record<string, unknown> = {};
  let publicDir = "";
  return {
    name: "build-service-worker",
    apply: "build",
    enforce: "post",
    configResolved(config) {
      define = config.define ?? {};
      publicDir = config.publicDir;
    },
    generateBundle: {
      order: "post",
      async handler(_options, bundle) {
        const built = Object.values(bundle)
          .filter(({ fileName }) => !fileName.startsWith(".") && !isRare(fileName))
          .map((output) => {
            const content = output.type === "chunk" ? output.code : output.source;
            return [`/${output.fileName}`, integrityOf(content)] as const;
          });
        const files = [...built, ...publicFiles(publicDir)].sort(([a], [b]) => (a < b ? -1 : 1));
        const version = createHash("sha256").update(JSON.stringify(files)).digest("hex").slice(0, 16);
        const results = await build({
          configFile: false,
          logLevel: "warn",
          publicDir: false,
          define: {
            ...define,
            __SHELL_VERSION__: JSON.stringify(version),
            __SHELL_FILES__: JSON.stringify(files),
          },
          build: {
            write: false,
            target: buildTarget,
            lib: { entry, formats: ["iife"], name: "serviceWorker", fileName: () => "sw.js" },
          },
        });
        const [result] = Array.isArray(results) ? results : [results];
        const worker = result !== undefined && "output" in result ? result.output[0] : undefined;
        if (worker === undefined) this.error("the service worker was not built");
        this.emitFile({ type: "asset", fileName: "sw.js", source: worker.code });
      },
    },
  };
}
