import type { Plugin } from "vite";

/**
 * Newer features that the build may contain: guarded ones, which are tested for before use, and names of ours
 * that a platform feature happens to have too.
 */
const allowed: ReadonlySet<string> = new Set([
  // Guarded, or not needed.
  "Error.captureStackTrace",
  ".stackTraceLimit",
  "trustedTypes",
  "CloseWatcher",
  ".createPolicy",
  ".createHTML",
  ".createScriptURL",
  ".getRemoteCertificates",
  ".jitterBufferTarget",
  ".checkVisibility",
  "Uint8Array.fromHex",
  ".fromHex",
  ".toHex",
  ".webkitdirectory",
  ".webkitGetAsEntry",
  ".webkitRelativePath",
  // React lists every attribute and event, and view transitions, which are not used here.
  ".fetchPriority",
  ".imageSizes",
  ".movementX",
  ".movementY",
  ".popover",
  ".skipTransition",
  ".canIntercept",
  ".currentEntry",
  // Names of ours and of libraries.
  ".animated",
  ".animation",
  ".bytes",
  ".entry",
  ".range",
  ".scrollMargin",
  ".transfer",
  ".transition",
  ".use",
  // Styles that a browser may ignore.
  ":highlight", // a color keyword in forced colors
  "contain-intrinsic-size",
  "content-visibility",
  "mask-composite",
  "overflow-anchor",
  "scrollbar-color",
  "text-wrap",
  "text-wrap-style",
]);

/**
 * Fails the build if it contains a platform feature newer than the minimum browsers: transpiling covers only
 * syntax.
 */
export function checkFeatures(): Plugin {
  return {
    name: "check-features",
    apply: "build",
    enforce: "post",
    generateBundle: {
      order: "post",
      async handler(_options, bundle) {
        // Its data is 20 MB and only needed in a build.
        const { newerFeatures, newerStyles } = await import("./newer-features.ts");
        for (const output of Object.values(bundle)) {
          const text = output.type === "chunk" ? output.code : output.source;
          if (typeof text !== "string") continue;
          const found = /\.js$/.test(output.fileName)
            ? newerFeatures(text)
            : output.fileName.endsWith(".css")
              ? newerStyles(text)
              : new Set<string>();
          const refused = [...found].filter((name) => !allowed.has(name));
          if (refused.length > 0) {
            this.error(
              `${output.fileName} uses what some supported browsers lack: ${refused.join(", ")}. See build/check-features.ts`,
            );
          }
        }
      },
    },
  };
}
