import { readdir, readFile } from "node:fs/promises";

/** CPU time and memory of a process and its descendants, as reported by Linux. */
export class ProcessTree {
  readonly pid: number;

  constructor(root: number) {
    this.pid = root;
  }

  /** CPU time of all threads so far, in ms. Threads that have ended are not included. */
  async cpuMs(): Promise<number> {
    const times = (await this.#pids()).map(async (pid) => {
      const tasks = await list(`/proc/${pid}/task`);
      const stats = await Promise.all(tasks.map((task) => read(`/proc/${pid}/task/${task}/schedstat`)));
      return stats.reduce((sum, stat) => sum + Number(stat.split(" ")[0] ?? 0), 0);
    });
    return (await Promise.all(times)).reduce((sum, nanoseconds) => sum + nanoseconds, 0) / 1e6;
  }

  /**
   * Private memory of each process, in MiB, by id.
   * @param pids the processes to include; all by default.
   */
  async memoryMiB(pids?: Iterable<number>): Promise<ReadonlyMap<number, number>> {
    const sizes = new Map<number, number>();
    for (const pid of pids ?? (await this.#pids())) {
      const kib = /^RssAnon:\s+(\d+) kB/m.exec(await read(`/proc/${pid}/status`))?.[1];
      if (kib !== undefined) sizes.set(pid, Number(kib) / 1024);
    }
    return sizes;
  }

  async #pids(): Promise<number[]> {
    const children = new Map<number, number[]>();
    for (const name of await list("/proc")) {
      if (!/^\d+$/.test(name)) continue;
      const parent = /\) \S (\d+)/.exec(await read(`/proc/${name}/stat`))?.[1];
      if (parent === undefined) continue;
      children.set(Number(parent), [...(children.get(Number(parent)) ?? []), Number(name)]);
    }
    const found = [this.pid];
    for (const pid of found) found.push(...(children.get(pid) ?? []));
    return found;
  }
}

/** The process started with an argument, whose parent was not. */
export async function findProcess(argument: string): Promise<number> {
  for (const name of await list("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const command = (await read(`/proc/${name}/cmdline`)).split("\0");
    if (command.includes(argument) && !command.some((part) => part.startsWith("--type=")))
      return Number(name);
  }
  throw new Error(`no process was started with ${argument}`);
}

/** Processes may end while they are inspected. */
async function read(path: string): Promise<string> {
  return readFile(path, "utf8").catch(() => "");
}

async function list(path: string): Promise<string[]> {
  return readdir(path).catch(() => []);
}
