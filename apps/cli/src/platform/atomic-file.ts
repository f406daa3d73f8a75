import { randomUUID } from "node:crypto";
import { renameSync, rmSync, writeFileSync } from "node:fs";

/** Replaces a file in one step: after a crash it has either its old or its new content. Only its owner may read it. */
export function writeAtomically(path: string, content: string | Uint8Array): void {
  const temporary = `${path}.${randomUUID()}`;
  try {
    writeFileSync(temporary, content, { mode: 0o600, flag: "wx" });
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
