import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { v } from "@warren/protocol";
import { writeAtomically } from "./atomic-file.ts";
import { takeLock } from "./process-lock.ts";

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
      const release = takeLock(join(folder, "lock"));
      if (release !== null) return { number, folder, release };
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
