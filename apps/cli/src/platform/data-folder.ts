import { createHash } from "node:crypto";
import {
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { v } from "@warren/protocol";
import { writeAtomically } from "./atomic-file.ts";
import { systemCodeOf } from "./disk-error.ts";

/** How long an interrupted command can be resumed. */
const taskLifetimeMs = 30 * 24 * 60 * 60 * 1_000;
const profilesMax = 32;

const taskSchema = v.object({
  profile: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(profilesMax)),
  roomId: v.string(),
  password: v.nullable(v.string()),
  /** The message that offers what is sent. */
  message: v.optional(v.string()),
});
/** What a command needs to go on after it was interrupted. */
export type Task = v.InferOutput<typeof taskSchema>;

/** Where the program keeps its data, by the XDG base directory specification. */
export function dataFolderIn(env: NodeJS.ProcessEnv): string {
  const base = env.XDG_DATA_HOME?.startsWith("/") ? env.XDG_DATA_HOME : join(homedir(), ".local", "share");
  return join(base, "warren");
}

/** A folder of data that this process holds until it ends: an identity with its contacts and history. */
export interface Profile {
  readonly number: number;
  readonly folder: string;
  release(): void;
}

/**
 * The data of all runs of the program. Two runs at once cannot be the same member of a room, so each holds a profile of its
 * own: the first that is free, or the one under which the same command was interrupted.
 */
export class DataFolder {
  readonly path: string;

  constructor(path: string) {
    this.path = resolve(path);
    mkdirSync(this.#tasks, { recursive: true, mode: 0o700 });
    this.#forgetOldTasks();
  }

  /** Holds a profile; `preferred` is tried first. */
  hold(preferred?: number): Profile {
    const numbers = Array.from({ length: profilesMax }, (_, index) => index + 1);
    if (preferred !== undefined) numbers.unshift(preferred);
    for (const number of numbers) {
      const folder = join(this.path, `profile-${number}`);
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      const lock = join(folder, "lock");
      if (takeLock(lock)) return { number, folder, release: () => rmSync(lock, { force: true }) };
    }
    throw new Error(`${profilesMax} runs of warren are active already`);
  }

  /** What an earlier run of the same command left; null if there is none. */
  task(key: readonly string[]): Task | null {
    try {
      const parsed = v.safeParse(taskSchema, JSON.parse(readFileSync(this.#taskAt(key), "utf8")));
      return parsed.success ? parsed.output : null;
    } catch {
      return null;
    }
  }

  saveTask(key: readonly string[], task: Task): void {
    writeAtomically(this.#taskAt(key), JSON.stringify(task));
  }

  endTask(key: readonly string[]): void {
    rmSync(this.#taskAt(key), { force: true });
  }

  get #tasks(): string {
    return join(this.path, "tasks");
  }

  #taskAt(key: readonly string[]): string {
    return join(this.#tasks, createHash("sha256").update(JSON.stringify(key)).digest("hex"));
  }

  #forgetOldTasks(): void {
    for (const name of readdirSync(this.#tasks)) {
      const path = join(this.#tasks, name);
      const stats = statSync(path, { throwIfNoEntry: false });
      if (stats && Date.now() - stats.mtimeMs > taskLifetimeMs) rmSync(path, { force: true });
    }
  }
}

/** Creates a file that names this process, unless the process that an existing one names still runs. */
function takeLock(path: string): boolean {
  const own = holderOf(process.pid);
  for (let attempt = 0; attempt < 2; attempt++) {
    if (createWhole(path, own)) return true;
    const holder = readHolder(path);
    if (holder === null || holderOf(Number.parseInt(holder, 10)) === holder) return false;
    // Renamed first: of two processes that find it, one gets it.
    const stale = `${path}.${process.pid}.stale`;
    try {
      renameSync(path, stale);
    } catch {
      return false;
    }
    rmSync(stale, { force: true });
  }
  return false;
}

/** Creates a file together with its content. @returns false if there is one already */
function createWhole(path: string, content: string): boolean {
  const temporary = `${path}.${process.pid}`;
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

/** Null if the file is gone: its process has just ended. */
function readHolder(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}

/** A process by its number and, where the system tells it, the time of its start: numbers are used again. */
function holderOf(pid: number): string {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (systemCodeOf(error) !== "EPERM") return "";
  }
  try {
    const status = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name in parentheses may hold anything; the 20th field after it is the start.
    return `${pid} ${status.slice(status.lastIndexOf(")") + 2).split(" ")[19]}`;
  } catch {
    return String(pid);
  }
}
