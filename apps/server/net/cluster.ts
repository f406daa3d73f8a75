import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const main = fileURLToPath(new URL("../dist/main.js", import.meta.url));
const unlimited = String(1_000_000);

/** A node in its own process. */
export interface ServerNode {
  readonly port: number;
  readonly isRunning: boolean;
  /** Asks it to stop, as a deployment does. Resolves with its exit code. */
  drain(): Promise<number | null>;
  /** Kills it. */
  kill(): Promise<void>;
}

/** Starts the built server over these Redis servers, if any, with further settings. */
export async function startNode(
  redisUrls: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<ServerNode> {
  const child: ChildProcess = spawn(process.execPath, [main], {
    env: {
      PATH: process.env.PATH,
      HOST: "127.0.0.1",
      PORT: "0",
      LOG_LEVEL: "error",
      WEB_ROOT: "/nonexistent",
      REDIS_URL: redisUrls.join(" "),
      RESUME_KEY: "the same secret for every node of this test",
      // The name of the balancer, which clients use for every node.
      SERVER_NAMES: "warren.test",
      ALLOWED_ORIGINS: "http://warren.test",
      DRAIN_MS: "5000",
      MAX_SOCKETS_PER_ADDRESS: unlimited,
      MAX_NEW_SOCKETS_PER_SECOND: unlimited,
      MAX_NEW_ROOMS_PER_10_MIN: unlimited,
      MAX_LAG_MS: "60000",
      ...env,
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  process.once("exit", () => child.kill("SIGKILL"));
  const ended = once(child, "exit");
  let output = "";
  let port: number | undefined;
  while (port === undefined) {
    if (!child.stdout) throw new Error("a node without output");
    const [chunk] = await once(child.stdout, "data");
    output += String(chunk);
    const found = /http:\/\/localhost:(\d+)/.exec(output)?.[1];
    if (found !== undefined) port = Number(found);
  }
  return {
    port,
    get isRunning() {
      return child.exitCode === null && child.signalCode === null;
    },
    async drain() {
      child.kill("SIGTERM");
      const [code] = await ended;
      return typeof code === "number" ? code : null;
    },
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}
