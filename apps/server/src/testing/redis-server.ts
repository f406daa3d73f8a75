import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { connect, createServer } from "node:net";

/** Redis in a process of its own, which keeps nothing on the disk. */
export interface RedisServer {
  readonly url: string;
  /** Runs a command, such as `FLUSHALL`. @returns its answer as Redis writes it */
  command(words: string): Promise<string>;
  /** Ends it without a word. */
  kill(): Promise<void>;
  /** Starts it again, empty, under the same address. */
  start(): Promise<void>;
  /** Stops its process for a while, as a machine that hangs. */
  pause(): void;
  resume(): void;
}

/** Starts Debian's redis-server. @throws Error where it is missing. */
export async function startRedis(): Promise<RedisServer> {
  const port = await freePort();
  let child: ChildProcess;
  const start = async () => {
    child = spawn(
      "redis-server",
      [
        "--port",
        String(port),
        "--bind",
        "127.0.0.1",
        "--save",
        "",
        "--appendonly",
        "no",
        "--repl-diskless-sync-delay",
        "0",
      ],
      {
        stdio: ["ignore", "pipe", "ignore"],
      },
    );
    const started = child;
    process.once("exit", () => started.kill("SIGKILL"));
    await new Promise<void>((resolve, reject) => {
      let output = "";
      started.once("error", reject);
      started.once("exit", () => reject(new Error(`redis-server ended: ${output}`)));
      started.stdout?.on("data", (chunk) => {
        output += String(chunk);
        if (output.includes("Ready to accept connections")) resolve();
      });
    });
  };
  await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    start,
    async command(words) {
      const socket = connect(port, "127.0.0.1");
      socket.write(`${words}\r\n`);
      const [answer] = await once(socket, "data");
      socket.destroy();
      return String(answer);
    },
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, "exit");
      child.kill("SIGKILL");
      await ended;
    },
    pause: () => void child.kill("SIGSTOP"),
    resume: () => void child.kill("SIGCONT"),
  };
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  const port = typeof address === "object" && address ? address.port : 0;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}
