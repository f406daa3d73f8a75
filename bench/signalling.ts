/**
 * Measures the signalling server: memory for each idle socket, and how fast it relays.
 * `tsx bench/signalling.ts [idle sockets] [signals per second]`; the load comes from this process, on the same machine.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { cpus } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { decodeServerFrame, type ServerFrame, signallingSubprotocol } from "@warren/protocol";
import { WebSocket } from "ws";

const maxIdleSockets = 10_000;
const idleSockets = Math.min(Number(process.argv[2] ?? 2_000), maxIdleSockets);
const signalsPerSecond = Math.min(Number(process.argv[3] ?? 2_000), 20_000);
const membersPerRoom = 6;
const relayRooms = 20;
const relayDurationMs = 5_000;
const openAtOnce = 50;
/** As long as the box of a session description of 1.6 kB. */
const box = "x".repeat(2_200);
const run = "r".repeat(22);

interface Member {
  readonly socket: WebSocket;
  readonly clientId: string;
  readonly onFrame: (listener: (frame: ServerFrame) => void) => void;
}

async function startServer(): Promise<{ readonly child: ChildProcess; readonly port: number }> {
  const main = fileURLToPath(new URL("../apps/server/src/main.ts", import.meta.url));
  const unlimited = String(1_000_000);
  const child = spawn(process.execPath, ["--import", "tsx", main], {
    env: {
      PATH: process.env.PATH,
      HOST: "127.0.0.1",
      PORT: "0",
      LOG_LEVEL: "error",
      MAX_SOCKETS_PER_ADDRESS: unlimited,
      MAX_NEW_SOCKETS_PER_SECOND: unlimited,
      MAX_NEW_ROOMS_PER_10_MIN: unlimited,
      FRAMES_PER_SECOND: "100000",
      FRAME_BURST: "100000",
      // The load generator shares the machine, and what it takes must not look like overload.
      MAX_LAG_MS: "60000",
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  for (;;) {
    const [chunk] = await once(child.stdout, "data");
    output += String(chunk);
    const port = /http:\/\/localhost:(\d+)/.exec(output)?.[1];
    if (port !== undefined) return { child, port: Number(port) };
  }
}

/** Opens a socket and enters a room. */
async function join(port: number, room: string): Promise<Member> {
  const clientId = randomUUID();
  const server = `127.0.0.1:${port}`;
  const hello = { type: "hello", version: 3, clientId, server, publicKey: "", proof: "" };
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ws`, signallingSubprotocol, {
    origin: `http://127.0.0.1:${port}`,
    perMessageDeflate: false,
  });
  let listener = (_frame: ServerFrame): void => {};
  await new Promise<void>((resolve, reject) => {
    socket.once("error", reject);
    socket.on("message", (data) => {
      const decoded = decodeServerFrame(String(data));
      if (!decoded.ok) return reject(decoded.error);
      if (decoded.value.type === "challenge") socket.send(JSON.stringify(hello));
      else if (decoded.value.type === "welcome")
        socket.send(JSON.stringify({ type: "join", room, locked: false }));
      else if (decoded.value.type === "joined") resolve();
      else listener(decoded.value);
    });
  });
  return {
    socket,
    clientId,
    onFrame(next) {
      listener = next;
    },
  };
}

function roomTag(number: number): string {
  return createHash("sha256").update(`bench ${number}`).digest("base64url");
}

async function fill(port: number, sockets: number, firstRoom: number): Promise<Member[]> {
  const members: Member[] = [];
  for (let next = 0; next < sockets; next += openAtOnce) {
    const batch = Array.from({ length: Math.min(openAtOnce, sockets - next) }, (_, i) =>
      join(port, roomTag(firstRoom + Math.floor((next + i) / membersPerRoom))),
    );
    members.push(...(await Promise.all(batch)));
  }
  return members;
}

/** Resident memory in bytes and processor time in ms, as Linux tells them. */
async function usage(pid: number): Promise<{ readonly rssBytes: number; readonly cpuMs: number }> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  const stat = await readFile(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const clockTickMs = 10;
  return {
    rssBytes: Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? Number.NaN) * 1024,
    cpuMs: (Number(fields[11]) + Number(fields[12])) * clockTickMs,
  };
}

/** Sends signals at an even rate between neighbours in their rooms and times their arrival. */
async function relay(members: readonly Member[], wantedPerSecond: number) {
  const sentAt: number[] = [];
  const latenciesMs: number[] = [];
  for (const member of members) {
    member.onFrame((frame) => {
      if (frame.type !== "signal" || frame.signal.type !== "box") return;
      const index = frame.signal.seq;
      latenciesMs.push(performance.now() - (sentAt[index] ?? Number.NaN));
    });
  }
  const startedAt = performance.now();
  while (performance.now() - startedAt < relayDurationMs) {
    const due = ((performance.now() - startedAt) / 1000) * wantedPerSecond;
    while (sentAt.length < due) {
      const index = sentAt.length;
      const from = members[index % members.length];
      const to = members[neighbour(index % members.length, members.length)];
      sentAt.push(performance.now());
      const signal = { type: "box", run, seq: index, kind: "offer", box };
      from?.socket.send(JSON.stringify({ type: "signal", to: to?.clientId, signal }));
    }
    await sleep(1);
  }
  const sentForMs = performance.now() - startedAt;
  for (let i = 0; i < 40 && latenciesMs.length < sentAt.length; i++) await sleep(50);
  latenciesMs.sort((one, other) => one - other);
  const quantile = (q: number) => latenciesMs[Math.floor(q * (latenciesMs.length - 1))] ?? Number.NaN;
  return {
    sent: sentAt.length,
    received: latenciesMs.length,
    perSecond: Math.round(sentAt.length / (sentForMs / 1000)),
    p50Ms: round(quantile(0.5)),
    p99Ms: round(quantile(0.99)),
    maxMs: round(quantile(1)),
  };
}

/** The next member of the same room, round and round. */
function neighbour(index: number, members: number): number {
  const first = index - (index % membersPerRoom);
  const size = Math.min(membersPerRoom, members - first);
  return first + ((index - first + 1) % size);
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

const { child, port } = await startServer();
try {
  const pid = child.pid ?? 0;
  // A first room warms the code up, so that compiling it does not count as memory of sockets.
  const talkers = await fill(port, relayRooms * membersPerRoom, 0);
  await sleep(1_000);
  const before = await usage(pid);
  const openedAt = performance.now();
  await fill(port, idleSockets, relayRooms);
  const openedInMs = performance.now() - openedAt;
  await sleep(1_000);
  const idle = await usage(pid);
  const relayed = await relay(talkers, signalsPerSecond);
  const after = await usage(pid);

  const result = {
    measuredAt: new Date().toISOString(),
    node: process.version,
    processors: cpus().length,
    idleSockets,
    rssMiB: round(idle.rssBytes / 2 ** 20),
    rssKibPerSocket: round((idle.rssBytes - before.rssBytes) / 1024 / idleSockets),
    joinsPerSecond: Math.round(idleSockets / (openedInMs / 1000)),
    relay: relayed,
    cpuPercentWhileRelaying: Math.round(((after.cpuMs - idle.cpuMs) / relayDurationMs) * 100),
  };
  console.table({
    "idle sockets": result.idleSockets,
    "resident memory, MiB": result.rssMiB,
    "of it a socket, KiB": result.rssKibPerSocket,
    "joins a second": result.joinsPerSecond,
    "signals a second": relayed.perSecond,
    "signals lost": relayed.sent - relayed.received,
    "relay p50, ms": relayed.p50Ms,
    "relay p99, ms": relayed.p99Ms,
    "processor while relaying, %": result.cpuPercentWhileRelaying,
  });
  const folder = new URL("./results/", import.meta.url);
  await mkdir(folder, { recursive: true });
  await writeFile(new URL("signalling.json", folder), `${JSON.stringify(result, null, 2)}\n`);
} finally {
  child.kill("SIGKILL");
}
process.exit(0);
