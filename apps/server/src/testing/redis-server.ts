import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";

/** A Redis process without persistence. */
export interface RedisServer {
  readonly url: string;
  /** Runs a command, such as `FLUSHALL`. @returns its answer as Redis writes it */
  command(words: string): Promise<string>;
  /** Kills it. */
  kill(): Promise<void>;
  /** Starts it again, empty, at the same address. */
  start(): Promise<void>;
  /** Suspends its process, as if the machine hung. */
  pause(): void;
  resume(): void;
}

/** Starts Debian's redis-server. @throws Error if it is missing. */
export async function startRedis(): Promise<RedisServer> {
  const port = await freePort();
  let child: ChildProcess;
  const start = async () => {
    const args = ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"];
    // A replica receives its first copy as a file, so this needs a folder; the file is deleted at once.
    const copying = ["--dir", tmpdir(), "--dbfilename", `warren-${port}.rdb`, "--rdb-del-sync-files", "yes"];
    child = spawn("redis-server", [...args, ...copying, "--repl-diskless-sync-delay", "0"], {
      stdio: ["ignore", "pipe", "ignore"],
    });
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

/** A master that a replica can replace, behind one address that forwards new connections to the current master. */
export interface RedisGroup extends RedisServer {
  /** Promotes a replica. `planned`: the old master becomes its replica; otherwise it is killed. */
  failOver(kind: "planned" | "unplanned"): Promise<void>;
}

/** Starts a group of one. @throws Error if redis-server is missing. */
export async function startRedisGroup(): Promise<RedisGroup> {
  let master = await startRedis();
  const old: RedisServer[] = [];
  const door = createServer((socket) => {
    const upstream = connect(portOf(master), "127.0.0.1");
    for (const [from, to] of [
      [socket, upstream],
      [upstream, socket],
    ] as const) {
      from.on("error", () => {}).on("close", () => to.destroy());
      from.pipe(to);
    }
  }).listen(0, "127.0.0.1");
  await once(door, "listening");
  door.unref();
  const address = door.address();
  return {
    url: `redis://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`,
    command: (words) => master.command(words),
    start: () => master.start(),
    pause: () => master.pause(),
    resume: () => master.resume(),
    async kill() {
      await Promise.all([master, ...old.splice(0)].map((server) => server.kill()));
    },
    async failOver(kind) {
      const replica = await startRedis();
      await replica.command(`REPLICAOF 127.0.0.1 ${portOf(master)}`);
      while (!(await replica.command("INFO replication")).includes("master_link_status:up")) await sleep(20);
      if (kind === "unplanned") await master.kill();
      await replica.command("REPLICAOF NO ONE");
      old.push(master);
      if (kind === "planned") await master.command(`REPLICAOF 127.0.0.1 ${portOf(replica)}`);
      master = replica;
    },
  };
}

function portOf({ url }: RedisServer): number {
  return Number(new URL(url).port);
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  const port = typeof address === "object" && address ? address.port : 0;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}
