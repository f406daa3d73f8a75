import { createHash, randomUUID } from "node:crypto";
import { linkSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { writeAtomically } from "./atomic-file.ts";
import { systemCodeOf } from "./disk-error.ts";

/**
 * Takes a file that names the process that holds it, for as long as that process lives. A dead holder has one heir: the
 * process that creates `<lock>.after-<holder>`, which only one can. If the heir dies as well it has one of its own, until
 * one writes itself into the lock. Whoever read a lock that was replaced meanwhile finds that nothing leads to it, and is
 * nobody's heir. Deleting or renaming the lock of a dead process instead could hit that of its successor.
 *
 * @returns what ends the hold; null if another process has it
 */
export function takeLock(path: string): (() => void) | null {
  // Process numbers are used again, so each hold has an id.
  const own = `${lifeOf(process.pid)} ${randomUUID()}`;
  for (;;) {
    const end = endOf(path);
    if (end.holder !== null) return null;
    if (!linkWhole(path, own, end.path)) continue;
    if (end.path === path) break;
    if (endOf(path).holder === own) {
      writeAtomically(path, own);
      break;
    }
    rmSync(end.path, { force: true });
  }
  forgetHeirs(path);
  return () => rmSync(path, { force: true });
}

/** Where the line of heirs ends: with a process that lives, or with a file that is not there yet. */
function endOf(lock: string): { readonly path: string; readonly holder: string | null } {
  for (let path = lock; ; ) {
    const holder = readHolder(path);
    if (holder === null || isAlive(holder)) return { path, holder };
    path = `${lock}.after-${createHash("sha256").update(holder).digest("hex")}`;
  }
}

/** Those of dead holders, which nothing leads to any more. */
function forgetHeirs(lock: string): void {
  for (const name of readdirSync(dirname(lock)))
    if (name.startsWith(`${basename(lock)}.after-`)) rmSync(join(dirname(lock), name), { force: true });
}

/** Creates a file of the line together with its content. @returns false if there is one already */
function linkWhole(lock: string, content: string, path: string): boolean {
  const temporary = `${lock}.${randomUUID()}`;
  writeFileSync(temporary, content, { mode: 0o600 });
  try {
    linkSync(temporary, path);
    return true;
  } catch (error) {
    if (systemCodeOf(error) !== "EEXIST") throw error;
    return false;
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** Null if there is none. */
function readHolder(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (systemCodeOf(error) === "ENOENT") return null;
    throw error;
  }
}

function isAlive(holder: string): boolean {
  const life = lifeOf(Number.parseInt(holder, 10));
  return life !== null && (holder === life || holder.startsWith(`${life} `));
}

/** A process that runs, by its number and, where the system tells it, the time of its start; null if none does. */
function lifeOf(pid: number): string | null {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (systemCodeOf(error) !== "EPERM") return null;
  }
  try {
    const status = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name in parentheses may hold anything. After it: the state, and 19 fields later the start.
    const fields = status.slice(status.lastIndexOf(")") + 2).split(" ");
    const isDead = fields[0] === "Z" || fields[0] === "X"; // nobody has asked for its exit code
    return isDead ? null : `${pid} ${fields[19]}`;
  } catch {
    return String(pid);
  }
}
