/** What is loaded when it is first needed for files that pass between clients. */
const parts = [
  () => import("./own-files.ts"),
  () => import("../files/sample.ts"),
  () => import("../files/keep-copy.ts"),
  () => import("../files/open-tree.ts"),
  () => import("../transfer/local-transfer-engine.ts"),
  () => import("./same-files.ts"),
  () => import("./own-shares.ts"),
  () => import("./shared-fetches.ts"),
  () => import("../files/compose-tree.ts"),
];

/** Loads it all. What cannot be loaded now is tried again when it is needed, and says so then. */
export async function loadFileCode(): Promise<void> {
  await Promise.allSettled(parts.map((load) => load()));
}
