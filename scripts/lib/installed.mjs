import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./project.mjs";
import { run } from "./run.mjs";

/**
 * @typedef {{ version?: string, link?: boolean, optional?: boolean, devOptional?: boolean, peer?: boolean }} LockedPackage
 * @typedef {{ packages?: Record<string, LockedPackage> }} Lock
 */

/**
 * The packages of the lock file that are missing from node_modules or have another version. Optional ones may be
 * missing: they belong to other platforms.
 * @param {Lock} wanted package-lock.json
 * @param {Lock} installed node_modules/.package-lock.json, which npm writes after installing
 * @returns {string[]} their paths, such as "node_modules/valibot"
 */
export function missingPackages(wanted, installed) {
  const present = installed.packages ?? {};
  return Object.entries(wanted.packages ?? {})
    .filter(([place]) => place.includes("node_modules/"))
    .filter(([place, locked]) => {
      const found = present[place];
      if (found === undefined) return !locked.optional && !locked.devOptional;
      return found.version !== locked.version;
    })
    .map(([place]) => place);
}

/**
 * @param {string} path
 * @returns {Lock | null} null when there is no such file or it does not parse
 */
function readLock(path) {
  try {
    return JSON.parse(readFileSync(join(root, path), "utf8"));
  } catch {
    return null;
  }
}

function isInstalled() {
  const wanted = readLock("package-lock.json");
  const installed = readLock("node_modules/.package-lock.json");
  return wanted !== null && installed !== null && missingPackages(wanted, installed).length === 0;
}

/**
 * Installs the packages if they are missing or do not match package-lock.json.
 * @returns {Promise<number>} the exit code of npm, 0 if nothing had to be done
 */
export async function ensureInstalled() {
  if (isInstalled()) return 0;
  console.log("Installing packages (once, and after they change) …");
  const options = ["--no-audit", "--no-fund"];
  // `npm ci` rejects a lock that does not match the manifests or lacks another platform's packages. Its
  // message does not help a person who only wants to start, and `npm install` handles both cases.
  if ((await run("npm", ["ci", "--silent", ...options])) === 0) return 0;
  return run("npm", ["install", "--no-save", ...options]);
}
