import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig, type HtmlTagDescriptor, type Plugin, type Rolldown } from "vite";
import rootManifest from "../../package.json" with { type: "json" };
import { askGit, pageOfRepository, readBasePath, readSignallingUrl } from "./build/build-facts.ts";
import { buildServiceWorker } from "./build/build-service-worker.ts";
import { checkFeatures } from "./build/check-features.ts";
import { minifyEarlyScripts } from "./build/early-scripts.ts";
import { firebaseConfigOf } from "./build/firebase-config.ts";
import { keepFirstWords } from "./build/first-words.ts";
import { addAssetLicenses, licensesFile } from "./build/licenses.ts";
import { buildTarget, minimumBrowsers } from "./build/minimum-browsers.ts";
import { zstdAlias } from "./build/zstd-alias.ts";
import { enUs } from "./src/i18n/en-us.ts";

/**
 * Adapts the two parts of sonner that have no option. It adds its style sheet as a `<style>` element when imported, which
 * `style-src 'self'` forbids: src/styles/index.css imports its CSS file instead. And a toast is dismissed by dragging it
 * 20 px, not 45. The build fails if sonner changes either place.
 */
function adaptSonner(): Plugin {
  const injection = /^__insertCSS\(".*"\);?$/m;
  const threshold = "const SWIPE_THRESHOLD = 45;";
  return {
    name: "adapt-sonner",
    enforce: "pre",
    transform: {
      filter: { id: /[\\/]sonner[\\/]dist[\\/]index\.mjs/ },
      handler(code) {
        if (!injection.test(code) || !code.includes(threshold)) {
          this.error("sonner is not built as expected: look at adaptSonner in vite.config.ts");
        }
        return {
          code: code.replace(injection, "").replace(threshold, "const SWIPE_THRESHOLD = 20;"),
          map: null,
        };
      },
    },
  };
}

/**
 * Leaves Radix's scroll lock out of the build: it works through a `<style>` element, which the content security
 * policy forbids, and nothing here needs it, because only panes scroll, never the page behind a dialog.
 */
function dropScrollLock(): Plugin {
  const replacement = "\0no-scroll-lock";
  return {
    name: "drop-scroll-lock",
    enforce: "pre",
    resolveId: {
      filter: { id: /^react-remove-scroll$/ },
      handler: () => replacement,
    },
    load: {
      filter: { id: /no-scroll-lock$/ },
      handler: () => "export const RemoveScroll = ({ children }) => children;",
    },
  };
}

/**
 * Puts src/platform/import-code.ts round every `import()`, in the place of Vite's own preloading, which fetches ahead in a
 * way that browsers remember as failed. It knows no style sheets: the build fails where a later part brings its own.
 */
function importAfterFetch(): Plugin {
  return {
    name: "import-after-fetch",
    apply: "build",
    enforce: "pre",
    load: {
      filter: { id: /^\0vite\/preload-helper\.js$/ },
      handler: () =>
        `export { importCode as __vitePreload } from ${JSON.stringify(pathOf("src/platform/import-code.ts"))};`,
    },
    generateBundle(_options, bundle) {
      const sheets = Object.keys(bundle).filter((fileName) => fileName.endsWith(".css"));
      if (sheets.length > 1) this.error(`later parts bring style sheets of their own: ${sheets.join(", ")}`);
    },
  };
}

/**
 * Lists what is fetched on demand in the page (`#later-chunks`), so that src/app/startup/prefetch.ts fetches it once the page is
 * idle: nothing waits when it is used, and menus open offline. The words of a language come with the code that shows them.
 */
function listLaterChunks(): Plugin {
  return {
    name: "list-later-chunks",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler(_html, { bundle }) {
        const chunks = Object.values(bundle ?? {}).filter((output) => output.type === "chunk");
        const first = new Set<string>();
        const add = (fileName: string): void => {
          if (first.has(fileName)) return;
          first.add(fileName);
          for (const imported of chunks.find((chunk) => chunk.fileName === fileName)?.imports ?? [])
            add(imported);
        };
        for (const chunk of chunks)
          if (chunk.isEntry || chunk.facadeModuleId === interfaceEntry) add(chunk.fileName);
        const later = chunks.filter(
          ({ fileName, facadeModuleId }) =>
            !first.has(fileName) && !/[\\/]i18n[\\/](?:en|zh)-/.test(facadeModuleId ?? ""),
        );
        const children = JSON.stringify(later.map(({ fileName }) => base + fileName));
        return [
          {
            tag: "script",
            attrs: { type: "application/json", id: "later-chunks" },
            children,
            injectTo: "body",
          },
        ];
      },
    },
  };
}

/** Tells public/unsupported.js the oldest versions Warren runs in. */
function writeMinimum(): Plugin {
  const minimum = JSON.stringify(minimumBrowsers).replaceAll('"', "&quot;");
  return {
    name: "write-minimum",
    transformIndexHtml: { order: "pre", handler: (html) => html.replace("%MINIMUM_BROWSERS%", minimum) },
  };
}

/** Where the app is on its host. */
const base = readBasePath(process.env.BASE_PATH);

const pathOf = (file: string): string => fileURLToPath(new URL(file, import.meta.url));
/** The entry, which starts to meet, and the entry of the interface. */
const entry = pathOf("src/main.ts");
const interfaceEntry = pathOf("src/app/start-app.tsx");
/** Core's index also exports dialog code; the first page needs only warren.ts. */
const coreFace = pathOf("../../packages/core/src/index.ts");
const coreComposition = pathOf("../../packages/core/src/warren.ts");
const coreSignalling = pathOf("../../packages/core/src/signalling/websocket-signalling.ts");
/** Shared by the locale files, which would wait for it in a chunk of its own. */
const localeTexts = pathOf("src/i18n/messages.ts");
/** Opens the socket: a file of its own, which runs before the others have arrived. */
const aheadModules = /[\\/]web[\\/]src[\\/](?:app|platform)[\\/]socket-ahead\.ts$/;
/** Wraps every `import()`, see `importAfterFetch`. */
const preloadHelper = "\0vite/preload-helper.js";
const codeImport = pathOf("src/platform/import-code.ts");
/** The table of icons; each icon is a module of its own. */
const icons = pathOf("src/ui/icons.ts");
/** Core's code for files, imported once somebody is met. */
const coreFiles = pathOf("../../packages/core/src/chat/file-exchange.ts");
const namedChunks = ["meet", "draw", "file-exchange"] as const;
const namedModules = new Map<string, (typeof namedChunks)[number]>();

const isGlyph = (id: string): boolean => /[\\/]lucide-react[\\/]dist[\\/]esm[\\/]icons[\\/]/.test(id);

/** The modules of the icons that code imports. */
function glyphsIn(code: string, graph: Pick<Rolldown.PluginContext, "getModuleInfo">): string[] {
  const table = graph.getModuleInfo(icons);
  const [, names = ""] = /import\s*\{([^}]*)\}\s*from\s*"[^"]*\/icons\.ts"/.exec(code) ?? [];
  return names.split(",").flatMap((name) => {
    const entry = new RegExp(`default as ${name.trim()} \\} from "lucide-react/icons/([\\w-]+)"`);
    const [, file] = entry.exec(table?.code ?? "") ?? [];
    return (table?.importedIds ?? []).filter((id) => isGlyph(id) && id.endsWith(`/${file}.mjs`));
  });
}

/**
 * Names the chunks of all static imports of the first page: `meet`, which runs first, and `draw`; and `file-exchange` with core's
 * code for files. Split by importer, they would be a dozen chunks that compress worse.
 */
function nameOfChunk(id: string, graph: Pick<Rolldown.PluginContext, "getModuleInfo">): string | null {
  if (namedModules.size === 0) {
    const add = (moduleId: string, chunk: (typeof namedChunks)[number]): void => {
      if (namedModules.has(moduleId) || moduleId === coreFace) return;
      namedModules.set(moduleId, chunk);
      const { code, importedIds } = graph.getModuleInfo(moduleId) ?? { code: null, importedIds: [] };
      for (const imported of importedIds) {
        if (moduleId !== icons || !isGlyph(imported)) add(imported, chunk);
        if (imported === icons) for (const glyph of glyphsIn(code ?? "", graph)) add(glyph, chunk);
      }
    };
    for (const moduleId of [entry, coreComposition, coreSignalling, preloadHelper, codeImport])
      add(moduleId, "meet");
    for (const moduleId of [interfaceEntry, localeTexts]) add(moduleId, "draw");
    add(coreFiles, "file-exchange");
    // Vite's manifest knows these by their own chunks.
    for (const moduleId of [entry, interfaceEntry]) namedModules.delete(moduleId);
    namedModules.delete(icons); // it would take every icon along
  }
  return namedModules.get(id) ?? null;
}

/**
 * The chunks fetched later: one for toasts, which the first click may need, one for the controls, and one for each subject, each
 * before those that may import it.
 */
const laterChunks: readonly (readonly [chunk: string, modules: RegExp])[] = [
  ["toasts", /[\\/]web[\\/]src[\\/]ui[\\/]toast-region\.tsx$|[\\/]node_modules[\\/]sonner[\\/]/],
  [
    "controls",
    /[\\/]web[\\/]src[\\/]ui[\\/]|[\\/]node_modules[\\/](?:@radix-ui|@floating-ui|lucide-react|aria-hidden)[\\/]/,
  ],
  ...["people", "devices", "room", "files", "chat", "compare", "call", "settings", "share", "app"].map(
    (subject) => [subject, new RegExp(`[\\\\/]web[\\\\/]src[\\\\/]${subject}[\\\\/]`)] as const,
  ),
];

/**
 * Has the page fetch all of its first code at once, as files and not as modules: Chromium reads its code cache for a file, but
 * compiles again what it fetches as a module (seen in 150), and `draw` would compete with `meet` for the processors.
 */
function preloadFirstCode(): Plugin {
  return {
    name: "preload-first-code",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler(html, { bundle }) {
        const chunks = Object.values(bundle ?? {}).filter((output) => output.type === "chunk");
        const drawing = chunks.find(({ facadeModuleId }) => facadeModuleId === interfaceEntry);
        if (drawing === undefined) throw new Error("the interface is missing from the build");
        const files = new Set([drawing.fileName]);
        for (const file of files)
          for (const imported of chunks.find(({ fileName }) => fileName === file)?.imports ?? [])
            files.add(imported);
        const asFiles = html.replaceAll(
          '<link rel="modulepreload" crossorigin',
          '<link rel="preload" as="script" crossorigin',
        );
        if (asFiles.includes("modulepreload")) throw new Error("Vite preloads modules in another form");
        const missing = [...files].filter((file) => !html.includes(`"${base}${file}"`));
        const tags: HtmlTagDescriptor[] = missing.map((file) => ({
          tag: "link",
          attrs: { rel: "preload", as: "script", crossorigin: true, href: base + file },
          injectTo: "head",
        }));
        const ahead = chunks.find(({ name }) => name === "ahead");
        if (ahead === undefined) throw new Error("what opens the socket is missing from the build");
        tags.push({
          tag: "script",
          attrs: { type: "module", async: true, crossorigin: true, src: base + ahead.fileName },
          injectTo: "head",
        });
        return { html: asFiles, tags };
      },
    },
  };
}

/** Asks for the Latin text font at once, so the first paint already has it; other alphabets wait for their use. */
function preloadTextFont(): Plugin {
  return {
    name: "preload-text-font",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler(_html, { bundle }) {
        const font = Object.keys(bundle ?? {}).find((name) => /inter-latin-opsz-normal/.test(name));
        if (font === undefined) throw new Error("the Latin text font is missing from the build");
        const attrs = {
          rel: "preload",
          as: "font",
          type: "font/woff2",
          crossorigin: true,
          href: base + font,
        };
        return [{ tag: "link", attrs, injectTo: "head" }];
      },
    },
  };
}

function commit(): string {
  return process.env.WARREN_COMMIT || (askGit("rev-parse", "--short", "HEAD") ?? "unknown");
}

function sourceUrl(): string {
  const origin = pageOfRepository(askGit("remote", "get-url", "origin") ?? "");
  return process.env.WARREN_SOURCE_URL || origin || rootManifest.repository;
}

function buildTime(): string {
  const epochS = Number(process.env.SOURCE_DATE_EPOCH); // set by reproducible builds
  return (epochS > 0 ? new Date(epochS * 1000) : new Date()).toISOString();
}

export default defineConfig({
  base,
  plugins: [
    adaptSonner(),
    dropScrollLock(),
    importAfterFetch(),
    keepFirstWords([entry, interfaceEntry], enUs),
    react(),
    tailwindcss(),
    preloadTextFont(),
    preloadFirstCode(),
    listLaterChunks(),
    addAssetLicenses(),
    minifyEarlyScripts(),
    buildServiceWorker(),
    checkFeatures(),
    writeMinimum(),
  ],
  define: {
    __APP_VERSION__: JSON.stringify(rootManifest.version),
    __BUILD_TIME__: JSON.stringify(buildTime()),
    __COMMIT__: JSON.stringify(commit()),
    __SIGNALLING_URL__: JSON.stringify(readSignallingUrl(process.env.VITE_SIGNALLING_URL)),
    __FIREBASE__: JSON.stringify(firebaseConfigOf(process.env)),
    __SOURCE_URL__: JSON.stringify(sourceUrl()),
  },
  resolve: { alias: [zstdAlias] },
  // The prebundler would bypass adaptSonner in development.
  optimizeDeps: { exclude: ["sonner"] },
  server: {
    proxy: {
      "/ws": { target: process.env.WARREN_SERVER_URL ?? "http://localhost:8080", ws: true },
    },
  },
  worker: { format: "es" },
  build: {
    target: buildTarget,
    manifest: true,
    license: { fileName: licensesFile },
    // Fonts and images stay files: `font-src 'self'` allows no data: address.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: "ahead", test: aheadModules, priority: laterChunks.length + 4 },
            ...namedChunks.map((chunk, index) => ({
              name: (id: string, graph: Pick<Rolldown.PluginContext, "getModuleInfo">) =>
                nameOfChunk(id, graph) === chunk ? chunk : null,
              priority: laterChunks.length + 3 - index, // a module of two chunks belongs to the first
              debugName: chunk,
            })),
            ...laterChunks.map(([chunk, modules], index) => ({
              name: (id: string) => (id !== interfaceEntry && modules.test(id) ? chunk : null),
              priority: laterChunks.length - index, // a chunk takes along what its modules import, unless an earlier one has it
              debugName: chunk,
            })),
          ],
        },
      },
    },
  },
});
