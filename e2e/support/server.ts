import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const serverEntry = fileURLToPath(new URL("../../apps/server/dist/main.js", import.meta.url));
const host = "127.0.0.1";
const startTimeoutMs = 60_000;
const stopTimeoutMs = 10_000;

/** Console errors of pages while their server is down: from sockets and prefetched code. */
export const serverAwayErrors = /WebSocket connection to .* failed|Failed to load resource: net::ERR_/;

/** The options of a server. */
export interface ServerSettings {
  /** A free port if absent or 0. */
  readonly port?: number;
  /** Additional environment variables, such as low limits. */
  readonly env?: Readonly<Record<string, string>>;
}

/** The built server, running for all tests of a worker, which must not stop it. */
export interface SharedServer {
  readonly url: string;
  readonly port: number;
  /** Its output so far, stdout and stderr. */
  logs(): string;
}

/** The built server, running for one test. */
export interface TestServer extends SharedServer {
  /** Ends the process. Does nothing if it has ended. */
  stop(): Promise<void>;
  /** Kills the process without notifying clients, as a crash does. */
  kill(): Promise<void>;
  /** Starts it again on the same port, after stopping it if it is running. */
  restart(): Promise<void>;
}

/**
 * Starts the built server on this machine and waits until it answers.
 * @throws Error with the server's output when it ends or does not answer within a minute
 */
export async function startServer({ port: wanted = 0, env = {} }: ServerSettings = {}): Promise<TestServer> {
  const port = wanted || (await findFreePort());
  const url = `http://${host}:${port}`;
  let output = "";
  let child: ChildProcess | undefined;

  async function start(): Promise<void> {
    const started = spawn(process.execPath, ["--enable-source-maps", serverEntry], {
      // The browsers share the machine; their load must not count as overload, or newcomers would be refused.
      env: {
        ...process.env,
        LOG_LEVEL: "info",
        MAX_LAG_MS: "60000",
        ...env,
        PORT: String(port),
        HOST: host,
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    child = started;
    for (const stream of [started.stdout, started.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        output += text;
      });
    }
    const deadlineMs = Date.now() + startTimeoutMs;
    while (!(await isHealthy(url))) {
      const hasEnded = started.exitCode !== null || started.signalCode !== null;
      if (hasEnded || Date.now() > deadlineMs) {
        await end("SIGKILL");
        throw new Error(`The server ${hasEnded ? "ended" : "did not answer"} at ${url}:\n${output}`);
      }
      await sleep(25);
    }
  }

  async function end(signal: "SIGINT" | "SIGKILL"): Promise<void> {
    const ending = child;
    child = undefined;
    if (ending === undefined || ending.exitCode !== null || ending.signalCode !== null) return;
    const ended = once(ending, "exit");
    // SIGINT skips the time that SIGTERM gives clients to move to another server.
    ending.kill(signal);
    const patience = setTimeout(() => ending.kill("SIGKILL"), stopTimeoutMs);
    await ended;
    clearTimeout(patience);
  }

  await start();
  return {
    url,
    port,
    stop: () => end("SIGINT"),
    kill: () => end("SIGKILL"),
    restart: async () => {
      await end("SIGINT");
      await start();
    },
    logs: () => output,
  };
}

async function isHealthy(url: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(1_000) });
    return response.status === 200;
  } catch {
    return false; // not listening yet
  }
}

/** A port that nothing listens on now. */
export async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, host);
  await once(probe, "listening");
  const address = probe.address();
  probe.close();
  await once(probe, "close");
  if (address === null || typeof address === "string") throw new Error("no free port");
  return address.port;
}
