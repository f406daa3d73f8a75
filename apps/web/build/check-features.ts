import type { Plugin } from "vite";

/**
 * What the build may contain although it is newer. A guarded use asks for the feature first and does without it; a name of
 * ours is one that a platform feature happens to share.
 */
const allowed: ReadonlySet<string> = new Set([
  // Guarded, or a nicety whose absence nobody misses.
  "Error.captureStackTrace",
  ".stackTraceLimit",
  "trustedTypes",
  ".createPolicy",
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
  // React names every attribute and event there is, and view transitions that nothing here asks for.
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
  ".range",
  ".scrollMargin",
  ".transfer",
  ".transition",
  ".use",
  // Style that a browser without it leaves out.
  ":highlight", // a color keyword in forced colors
  "mask-composite",
  "overflow-anchor",
  "scrollbar-color",
  "text-wrap",
  "text-wrap-style",
]);

/** Fails the build where it contains a platform feature newer than the minimum: lowering covers syntax alone. */
export function checkFeatures(): Plugin {
  return {
    name: "check-features",
    apply: "build",
    enforce: "post",
    generateBundle: {
      order: "post",
      async handler(_options, bundle) {
        // Its data is 20 MB that only a build needs.
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
