import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import rootManifest from "../../package.json" with { type: "json" };
import { askGit, pageOfRepository, readBasePath, readSignallingUrl } from "./build/build-facts.ts";
import { buildServiceWorker } from "./build/build-service-worker.ts";
import { checkFeatures } from "./build/check-features.ts";
import { firebaseConfigOf } from "./build/firebase-config.ts";
import { addAssetLicenses, licensesFile } from "./build/licenses.ts";
import { buildTarget } from "./build/minimum-browsers.ts";
import { chunkGroups, writeHead } from "./build/write-head.ts";

/** Where the app is on its host. */
const base = readBasePath(process.env.BASE_PATH);

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
    react(),
    tailwindcss(),
    writeHead(base),
    addAssetLicenses(),
    buildServiceWorker(),
    checkFeatures(),
  ],
  define: {
    __APP_VERSION__: JSON.stringify(rootManifest.version),
    __BUILD_TIME__: JSON.stringify(buildTime()),
    __COMMIT__: JSON.stringify(commit()),
    __SIGNALLING_URL__: JSON.stringify(readSignallingUrl(process.env.VITE_SIGNALLING_URL)),
    __FIREBASE__: JSON.stringify(firebaseConfigOf(process.env)),
    __SOURCE_URL__: JSON.stringify(sourceUrl()),
  },
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
        codeSplitting: { groups: chunkGroups },
      },
    },
  },
});
