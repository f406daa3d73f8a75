import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Shape } from "./shaped-link.ts";

const startTimeoutMs = 5_000;

/** A relay behind a line with a given shape. */
export interface ShapedRelay {
  /** Browsers reach each other over this relay alone, and so over the line. */
  readonly server: { readonly url: string; readonly username: string; readonly password: string };
  stop(): Promise<void>;
}

/**
 * Starts coturn, and in front of it a line that both browsers' packets pass, once up and once down on their way to each other.
 * @throws Error where coturn is missing or does not answer.
 */
export async function startRelay(shapes: { readonly up: Shape; readonly down: Shape }): Promise<ShapedRelay> {
  const host = ownAddress();
  const folder = await mkdtemp(join(tmpdir(), "warren-bench-relay-"));
  const port = await freePort(host);
  const [username, password] = ["bench", randomBytes(12).toString("hex")];
  const relay = spawn(
    "turnserver",
    [
      "-n",
      `--listening-ip=${host}`,
      `--relay-ip=${host}`,
      `--listening-port=${port}`,
      "--lt-cred-mech",
      `--user=${username}:${password}`,
      "--realm=bench",
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
  const endRelay = endWithUs(relay);
  await answers(host, port, relay);
  const proxy = spawn(
    process.execPath,
    [
      "--import",
      "tsx",
      fileURLToPath(new URL("shaping-proxy.ts", import.meta.url)),
      host,
      String(port),
      JSON.stringify(shapes),
    ],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  const endProxy = endWithUs(proxy);
  const [said] = await once(proxy.stdout, "data");
  return {
    server: { url: `turn:${host}:${String(said).trim()}?transport=udp`, username, password },
    stop: async () => {
      await Promise.all([endRelay(), endProxy()]);
      await rm(folder, { recursive: true });
    },
  };
}

/** Browsers do not speak to a relay on the loopback address. */
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

/** Asks for a STUN binding until there is an answer. */
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

/** Sees to it that a child does not outlive this process. @returns how to end it before. */
function endWithUs(child: ChildProcess): () => Promise<void> {
  const kill = () => void child.kill("SIGKILL");
  process.once("exit", kill);
  return async () => {
    process.off("exit", kill);
    if (child.exitCode !== null || child.signalCode !== null) return;
    kill();
    await once(child, "exit");
  };
}
