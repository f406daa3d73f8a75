import { takeLock } from "../platform/process-lock.ts";

/** A process that takes each lock it is told about at the given time, and says whether it has it. */
process.on("message", ({ path, atMs }: { path: string; atMs: number }) => {
  while (Date.now() < atMs);
  process.send?.({ path, isHeld: takeLock(path) !== null });
});
process.on("disconnect", () => process.exit());
process.send?.("ready");
