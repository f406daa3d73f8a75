import { randomUUID } from "node:crypto";
import {
  closeSync,
  fsyncSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";

/** How the names end of files that a write has not moved to their places. */
const unfinished = /\.[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** No write takes so long. */
const writeMaxMs = 60 * 60_000;

/**
 * Replaces a file in one step: after a crash, also of the machine, it has either its old or its new content, and once this
 * returns, the new one. Only its owner may read it.
 */
export function writeAtomically(path: string, content: string | Uint8Array): void {
  const temporary = `${path}.${randomUUID()}`;
  try {
    writeFileSync(temporary, content, { mode: 0o600, flag: "wx", flush: true });
    renameSync(temporary, path);
    if (process.platform !== "win32") syncFolder(dirname(path));
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** Deletes what writes of programs that were killed have left in a folder. */
export function removeUnfinished(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (!unfinished.test(name)) continue;
    const path = join(folder, name);
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats !== undefined && Date.now() - stats.mtimeMs > writeMaxMs) rmSync(path, { force: true });
  }
}

/** Makes the names in a folder durable. */
function syncFolder(path: string): void {
  const folder = openSync(path, "r");
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
