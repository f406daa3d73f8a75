import { readFileSync } from "node:fs";
import type { HtmlTagDescriptor, Plugin, Rolldown } from "vite";
import { minimumBrowsers } from "./minimum-browsers.ts";

/**
 * The first code in the order in which it runs (docs/decisions/0022): what opens the socket; what meets; what draws. Each
 * group takes along what its modules import. All other code is split by its `import()`, and one chunk has what two of those
 * share.
 */
export const chunkGroups = [
  { name: "ahead", test: /[\\/]app[\\/]ahead\.ts$/, priority: 3 },
  { name: "meet", tags: ["$initial" as const], priority: 2 },
  // With what the languages share, so that none of them waits for later code.
  { name: "draw", test: /[\\/](?:app[\\/]render-app\.tsx|i18n[\\/]messages\.ts)$/, priority: 1 },
  { name: "shared", minShareCount: 2 },
];

/** The scripts that run before the modules, in browsers too old for those as well; named by their content in a build. */
const pageScripts = ["theme.js", "unsupported.js"];

/**
 * Writes into the page what it fetches: all of its first code at once, as files and not as modules, because Chromium reads its
 * code cache for a file but compiles a module again (seen in 150), except `draw` on a first visit (src/app/preload-interface.ts);
 * the Latin text font, which the first paint needs; and the list of all later code (`#later-chunks`), which
 * src/app/startup/prefetch.ts fetches once the page is idle. And the oldest versions Warren runs in, for page-scripts/unsupported.js.
 */
export function writeHead(base: string): Plugin {
  return {
    name: "write-head",
    buildStart() {
      if (this.environment.mode !== "build") return;
      for (const name of pageScripts) {
        const source = readFileSync(new URL(`../page-scripts/${name}`, import.meta.url));
        this.emitFile({ type: "asset", name, source });
      }
    },
    transformIndexHtml: {
      order: "post",
      handler(html, { bundle }) {
        const minimum = JSON.stringify(minimumBrowsers).replaceAll('"', "&quot;");
        const page = html.replace("%MINIMUM_BROWSERS%", minimum);
        if (bundle === undefined) return page;
        const files = Object.values(bundle);
        const scripts = pageScripts.map((name) => {
          const file = files.find((file) => file.type === "asset" && file.names.includes(name));
          if (file === undefined) throw new Error(`${name} is missing from the build`);
          return [`"/page-scripts/${name}"`, `"${base}${file.fileName}"`] as const;
        });
        const chunks = files.filter((file) => file.type === "chunk");
        const ahead = named(chunks, "ahead");
        const draw = named(chunks, "draw");
        const first = withImports(chunks, [...chunks.filter(({ isEntry }) => isEntry), draw]);
        const later = chunks.filter((chunk) => !first.has(chunk) && !isLanguage(chunk));
        const font = files.find(({ fileName }) => fileName.includes("inter-latin-opsz-normal"));
        if (font === undefined) throw new Error("the Latin text font is missing from the build");
        const preload = (file: string, attrs: HtmlTagDescriptor["attrs"]): HtmlTagDescriptor => ({
          tag: "link",
          attrs: { rel: "preload", crossorigin: true, href: base + file, ...attrs },
          injectTo: "head",
        });
        return {
          html: scripts.reduce(
            (html, [written, built]) => html.replace(written, built),
            page.replaceAll(/\s*<link rel="modulepreload"[^>]*>/g, ""),
          ),
          tags: [
            ...[...first]
              .filter(({ isEntry }) => !isEntry)
              .map((chunk) =>
                // How the interface is fetched depends on the visit: src/app/preload-interface.ts.
                preload(chunk.fileName, {
                  as: "script",
                  ...(chunk === draw && { id: "interface", rel: false }),
                }),
              ),
            preload(font.fileName, { as: "font", type: "font/woff2" }),
            {
              tag: "script",
              attrs: { type: "module", async: true, crossorigin: true, src: base + ahead.fileName },
              injectTo: "head",
            },
            {
              tag: "script",
              attrs: { type: "application/json", id: "later-chunks" },
              children: JSON.stringify(later.map(({ fileName }) => base + fileName)),
              injectTo: "body",
            },
          ],
        };
      },
    },
  };
}

type Chunk = Rolldown.OutputChunk;

function named(chunks: readonly Chunk[], name: string): Chunk {
  const chunk = chunks.find((one) => one.name === name);
  if (chunk === undefined) throw new Error(`the chunk ${name} is missing from the build`);
  return chunk;
}

/** The chunks and all that they import statically. */
function withImports(chunks: readonly Chunk[], roots: readonly Chunk[]): ReadonlySet<Chunk> {
  const found = new Set(roots);
  for (const { imports } of found)
    for (const chunk of chunks) if (imports.includes(chunk.fileName)) found.add(chunk);
  return found;
}

/** Fetched by those who read it: words, and the names of emoji. */
function isLanguage({ facadeModuleId }: Chunk): boolean {
  return /[\\/](?:i18n[\\/]zh-|emojibase-data[\\/])/.test(facadeModuleId ?? "");
}
