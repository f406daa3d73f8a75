import { mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";

/**
 * Moves what is in a folder over what is in another one, file by file, and deletes what only that has: whoever uses a file that
 * both have finds it at any moment.
 * @param {string} old
 * @param {string} fresh
 * @param {(name: string) => boolean} isKept whether something at the top of the old folder stays that the fresh one lacks
 */
export function replaceFolder(old, fresh, isKept = () => false) {
  mkdirSync(old, { recursive: true });
  const entries = readdirSync(fresh, { withFileTypes: true });
  for (const entry of entries) {
    const [from, to] = [join(fresh, entry.name), join(old, entry.name)];
    if (entry.isDirectory()) replaceFolder(to, from);
    else renameSync(from, to);
  }
  const names = new Set(entries.map(({ name }) => name));
  for (const name of readdirSync(old))
    if (!names.has(name) && !isKept(name)) rmSync(join(old, name), { recursive: true });
}
