import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { v } from "@warren/protocol";
import { removeUnfinished, writeAtomically } from "./atomic-file.ts";
import { takeLock } from "./process-lock.ts";

/** How long an interrupted command can be resumed. */
const taskLifetimeMs = 30 * 24 * 60 * 60 * 1_000;
const profilesMax = 32;
const profileNumbers = Array.from({ length: profilesMax }, (_, index) => index + 1);

const receivedSchema = v.object({
  from: v.string(),
  path: v.nullable(v.string()),
  name: v.string(),
  sizeBytes: v.number(),
  files: v.nullable(v.number()),
});
/** What was received, from whom and where it is, as it is reported. */
export type ReceivedItem = v.InferOutput<typeof receivedSchema>;

const taskSchema = v.object({
  profile: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(profilesMax)),
  roomId: v.string(),
  password: v.nullable(v.string()),
  /** The message that offers what is sent. */
  message: v.optional(v.string()),
  /** What was offered, by the id of the file: how it was received, or null while that is open. */
  files: v.optional(v.record(v.string(), v.nullable(receivedSchema))),
  /** Whether it is kept however long ago it was stored: the room of a receiver that always runs. */
  stays: v.optional(v.boolean()),
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
 * own: one under which the same command was interrupted, or else the first that is free. A task belongs to its profile, so
 * that whoever holds that is the only one to go on with it.
 */
export class DataFolder {
  readonly path: string;

  constructor(path: string) {
    this.path = resolve(path);
    mkdirSync(this.#tasks, { recursive: true, mode: 0o700 });
    for (const folder of [this.path, this.#tasks]) removeUnfinished(folder);
    this.#forgetOldTasks();
  }

  /** Holds a profile. @param key the command whose interrupted runs come first, if any go on */
  hold(key: readonly string[] | null): Profile {
    const interrupted = key === null ? [] : this.tasks(key).map(({ profile }) => profile);
    for (const number of [...interrupted, ...profileNumbers]) {
      const folder = join(this.path, `profile-${number}`);
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      const release = takeLock(join(folder, "lock"));
      if (release === null) continue;
      removeUnfinished(folder);
      return { number, folder, release };
    }
    throw new Error(`${profilesMax} runs of warren are active already`);
  }

  /** What runs of the same command left that were interrupted, or have not ended: one of each profile at most. */
  tasks(key: readonly string[]): readonly Task[] {
    return profileNumbers.map((number) => taskIn(this.#taskAt(key, number))).filter((task) => task !== null);
  }

  /**
   * For a command that may run once at a time: holds it until this process ends.
   * @returns what ends the hold; null if another process runs it
   */
  holdCommand(key: readonly string[]): (() => void) | null {
    return takeLock(join(this.#tasks, `${digestOf(key)}.lock`));
  }

  /** @param task of a profile that this process holds */
  saveTask(key: readonly string[], task: Task): void {
    writeAtomically(this.#taskAt(key, task.profile), JSON.stringify(task));
  }

  endTask(key: readonly string[], { number }: Profile): void {
    rmSync(this.#taskAt(key, number), { force: true });
  }

  get #tasks(): string {
    return join(this.path, "tasks");
  }

  #taskAt(key: readonly string[], profile: number): string {
    return join(this.#tasks, `${digestOf(key)}-${profile}`);
  }

  #forgetOldTasks(): void {
    for (const name of readdirSync(this.#tasks)) {
      if (name.includes(".lock")) continue; // of a command that may have run ever since
      const path = join(this.#tasks, name);
      const stats = statSync(path, { throwIfNoEntry: false });
      const isOld = stats !== undefined && Date.now() - stats.mtimeMs > taskLifetimeMs;
      if (isOld && !taskIn(path)?.stays) rmSync(path, { force: true });
    }
  }
}

function digestOf(key: readonly string[]): string {
  return createHash("sha256").update(JSON.stringify(key)).digest("hex");
}

/** Null if there is none, or one that cannot be read. */
function taskIn(path: string): Task | null {
  try {
    const parsed = v.safeParse(taskSchema, JSON.parse(readFileSync(path, "utf8")));
    return parsed.success ? parsed.output : null;
  } catch {
    return null;
  }
}
