import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const clockTickMs = 10;
const unlimited = String(1_000_000);

/** A server in a separate process. */
export class ServerProcess {
  readonly port: number;
  readonly #child: ChildProcess;

  constructor(child: ChildProcess, port: number) {
    this.#child = child;
    this.port = port;
  }

  /** Resident memory in bytes and CPU time in ms, as reported by Linux. */
  async usage(): Promise<{ readonly rssBytes: number; readonly cpuMs: number }> {
    const status = await readFile(`/proc/${this.#child.pid}/status`, "utf8");
    const stat = await readFile(`/proc/${this.#child.pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return {
      rssBytes: Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? Number.NaN) * 1024,
      cpuMs: (Number(fields[11]) + Number(fields[12])) * clockTickMs,
    };
  }

  /** Resident memory in bytes after a garbage collection. */
  async settled(): Promise<number> {
    this.#child.kill("SIGUSR2");
    await sleep(1_500);
    return (await this.usage()).rssBytes;
  }

  async stop(): Promise<void> {
    this.#child.kill("SIGKILL");
    await once(this.#child, "exit");
  }
}

/** A plain `ws` server that returns every message. */
export function startEcho(): Promise<ServerProcess> {
  return start(fileURLToPath(new URL("./echo.mjs", import.meta.url)), {});
}

const builtServer = fileURLToPath(new URL("../../apps/server/dist/main.js", import.meta.url));

interface NodeSettings {
  /** The server's file; by default the built one. */
  readonly main?: string | undefined;
  readonly env?: Readonly<Record<string, string>>;
}

/** Nodes that share their rooms over Redis. */
export function startCluster(size: number, redisUrl: string, main?: string): Promise<ServerProcess[]> {
  const env = { REDIS_URL: redisUrl, RESUME_KEY: "the same secret for every node of this bench" };
  return Promise.all(Array.from({ length: size }, () => startNode({ main, env })));
}

/** The signalling server without the limits that a single load generator would reach. */
export function startNode({ main = builtServer, env = {} }: NodeSettings = {}): Promise<ServerProcess> {
  return start(main, {
    ...env,
    LOG_LEVEL: "error",
    MAX_SOCKETS: unlimited,
    MAX_SOCKETS_PER_ADDRESS: unlimited,
    MAX_NEW_SOCKETS_PER_SECOND: unlimited,
    MAX_NEW_ROOMS_PER_10_MIN: unlimited,
    MAX_HTTP_CONNECTIONS: unlimited,
    FRAMES_PER_SECOND: "100000",
    FRAME_BURST: "100000",
    // The load generator shares the machine, and its CPU usage must not count as overload.
    MAX_LAG_MS: "60000",
  });
}

async function start(main: string, env: Readonly<Record<string, string>>): Promise<ServerProcess> {
  const collect = fileURLToPath(new URL("./collect-garbage.mjs", import.meta.url));
  const child = spawn(process.execPath, ["--expose-gc", "--import", collect, main], {
    env: { PATH: process.env.PATH, HOST: "127.0.0.1", PORT: "0", ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  process.once("exit", () => child.kill("SIGKILL"));
  let output = "";
  for (;;) {
    const [chunk] = await once(child.stdout, "data");
    output += String(chunk);
    const port = /http:\/\/localhost:(\d+)/.exec(output)?.[1];
    if (port !== undefined) return new ServerProcess(child, Number(port));
  }
}
