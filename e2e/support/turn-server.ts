import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const startTimeoutMs = 15_000;

/** coturn on this machine. */
export interface TurnServer {
  readonly host: string;
  readonly port: number;
  readonly username: string;
  readonly password: string;
  /** The shared secret for one-hour credentials, if it was started with one. */
  readonly secret: string | undefined;
  /** Kills it without notifying clients; `start` restores it at the same address, without their allocations. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Stops it for good. */
  stop(): Promise<void>;
}

/** Starts coturn, for one user or with a shared secret. @throws Error if it is missing or does not answer. */
export async function startTurnServer(secret?: string): Promise<TurnServer> {
  const host = ownAddress();
  const folder = await mkdtemp(join(tmpdir(), "warren-relay-"));
  const port = await freePort(host);
  const [username, password] = ["warren", randomBytes(12).toString("hex")];
  let end = async () => {};
  const start = async () => {
    const child = spawn(
      "turnserver",
      [
        "-n",
        `--listening-ip=${host}`,
        `--relay-ip=${host}`,
        `--listening-port=${port}`,
        "--lt-cred-mech",
        ...(secret === undefined
          ? [`--user=${username}:${password}`]
          : ["--use-auth-secret", `--static-auth-secret=${secret}`]),
        "--realm=warren",
        "--no-tls",
        "--no-dtls",
        "--no-tcp",
        "--no-cli",
        `--userdb=${join(folder, "db")}`,
        `--pidfile=${join(folder, "pid")}`,
        "--log-file=stdout",
      ],
      { stdio: "ignore" },
    );
    end = endWithUs(child);
    await answers(host, port, child);
  };
  await start();
  return {
    ...{ host, port, username, password, secret, start },
    kill: () => end(),
    stop: async () => {
      await end();
      await rm(folder, { recursive: true });
    },
  };
}

/**
 * Ensures that a child does not outlive this process.
 * @returns a function that ends it earlier.
 */
export function endWithUs(child: ChildProcess): () => Promise<void> {
  const kill = () => void child.kill("SIGKILL");
  process.once("exit", kill);
  return async () => {
    process.off("exit", kill);
    if (child.exitCode !== null || child.signalCode !== null) return;
    kill();
    await once(child, "exit");
  };
}

/** Browsers do not use a relay on the loopback address. */
function ownAddress(): string {
  const addresses = Object.values(networkInterfaces()).flatMap((entries) => entries ?? []);
  const own = addresses.find(({ family, internal }) => family === "IPv4" && !internal);
  if (!own) throw new Error("this machine has no address but the loopback one");
  return own.address;
}

async function freePort(host: string): Promise<number> {
  const probe = createSocket("udp4").bind(0, host);
  await once(probe, "listening");
  const { port } = probe.address();
  probe.close();
  return port;
}

/** Sends STUN binding requests until there is an answer. */
async function answers(host: string, port: number, relay: ChildProcess): Promise<void> {
  let failure: Error | null = null;
  relay.once("error", (error) => {
    failure = error;
  });
  const socket = createSocket("udp4").bind();
  const answered = once(socket, "message").then(() => true);
  const request = Buffer.concat([Buffer.from("000100002112a442", "hex"), randomBytes(12)]);
  try {
    for (const endsAt = Date.now() + startTimeoutMs; Date.now() < endsAt; ) {
      if (failure) throw failure;
      socket.send(request, port, host);
      if (await Promise.race([answered, sleep(100, false)])) return;
    }
    throw new Error("coturn does not answer");
  } finally {
    socket.close();
  }
}
