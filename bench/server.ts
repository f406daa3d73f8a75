/**
 * Compares the signalling server with a plain `ws` echo server in the same run: memory per idle socket, relay
 * throughput, alone and as one of three nodes over Redis with all signals crossing between nodes, the latency
 * of a signal, and the duration of a storm of joins.
 * `tsx bench/server.ts [idle sockets] [path of main.js]`, after `npm run build`; this process generates the
 * load on the same machine.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { cpus } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { startRedis } from "../apps/server/src/testing/redis-server.ts";
import { at, boxes, fill, type Pair, pairsOf } from "./server/members.ts";
import { type ServerProcess, startCluster, startEcho, startNode } from "./server/processes.ts";
import { maskedFrame, RawClient } from "./server/raw-client.ts";

const idleSockets = Number(process.argv[2] ?? 10_000);
const main = process.argv[3];
const talkers = 60;
const roundMs = 4_000;
const rounds = 3;
/** The number of signals in flight per sender, so that the server always has work. */
const window = 8;
/** The rate at which latency is measured: the one that the server promises to sustain. */
const steadyPerSecond = 5_000;
const openAtOnce = 100;

/** Sends as fast as signals arrive; returns the throughput and the CPU usage of each server. */
async function saturate(pairs: readonly Pair[], servers: readonly ServerProcess[]) {
  let received = 0;
  let isOver = false;
  for (const { from, to, frame } of pairs) {
    to.onFrame = () => {
      received += 1;
      if (!isOver) from.write(frame);
    };
    for (let i = 0; i < window; i++) from.write(frame);
  }
  await sleep(500);
  const [startedAt, before, cpuBefore] = [performance.now(), received, await cpuMsOf(servers)];
  await sleep(roundMs);
  const seconds = (performance.now() - startedAt) / 1000;
  const count = received - before;
  const cpuMs = (await cpuMsOf(servers)) - cpuBefore;
  isOver = true;
  await sleep(300);
  return { perSecond: Math.round(count / seconds), perCpuSecond: Math.round((count / cpuMs) * 1000) };
}

async function cpuMsOf(servers: readonly ServerProcess[]): Promise<number> {
  const usages = await Promise.all(servers.map((server) => server.usage()));
  return usages.reduce((sum, { cpuMs }) => sum + cpuMs, 0);
}

/** Sends at a constant rate and measures the latency of each signal. */
async function pace(pairs: readonly Pair[]) {
  const latenciesMs: number[] = [];
  const sentAt = new Map<RawClient, number[]>();
  for (const { to } of pairs) {
    const queue: number[] = [];
    sentAt.set(to, queue);
    to.onFrame = () => latenciesMs.push(performance.now() - (queue.shift() ?? Number.NaN));
  }
  const startedAt = performance.now();
  let sent = 0;
  while (performance.now() - startedAt < roundMs) {
    const due = ((performance.now() - startedAt) / 1000) * steadyPerSecond;
    for (; sent < due; sent++) {
      const { from, to, frame } = at(pairs, sent);
      sentAt.get(to)?.push(performance.now());
      from.write(frame);
    }
    await sleep(1);
  }
  for (let i = 0; i < 40 && latenciesMs.length < sent; i++) await sleep(50);
  latenciesMs.sort((one, other) => one - other);
  const quantile = (q: number) => round(latenciesMs[Math.floor(q * (latenciesMs.length - 1))] ?? Number.NaN);
  return { p50Ms: quantile(0.5), p99Ms: quantile(0.99), lost: sent - latenciesMs.length };
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function median(values: readonly number[]): number {
  return [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}

type Saturated = Awaited<ReturnType<typeof saturate>>;
function middle(results: readonly Saturated[]): Saturated {
  return {
    perSecond: median(results.map(({ perSecond }) => perSecond)),
    perCpuSecond: median(results.map(({ perCpuSecond }) => perCpuSecond)),
  };
}

/** The echo server returns every frame, so every client is paired with itself. */
function echoPairs(clients: readonly RawClient[], kind: keyof typeof boxes): Pair[] {
  const frame = maskedFrame("x".repeat(boxes[kind] + 180));
  return clients.map((client) => ({ from: client, to: client, frame }));
}

async function idleKib(server: ServerProcess, open: (sockets: number) => Promise<unknown>) {
  await open(500); // compiles the code and fills the pools, which do not count as memory of sockets
  const figures = [];
  const before = await server.settled();
  const startedAt = performance.now();
  let sockets = 0;
  for (const more of [1_000, idleSockets - 1_000]) {
    if (more <= 0) continue;
    await open(more);
    sockets += more;
    const seconds = (performance.now() - startedAt) / 1000;
    const kib = ((await server.settled()) - before) / 1024 / sockets;
    figures.push({ sockets, kibPerSocket: round(kib), openSeconds: round(seconds) });
  }
  return figures;
}

const echo = await startEcho();
const node = await startNode({ main });
const redis = await startRedis();
const cluster = await startCluster(3, redis.url, main);
const echoClients = await Promise.all(Array.from({ length: talkers }, () => RawClient.open(echo.port)));
const members = await fill([node], talkers, 0);
const spread = await fill(cluster, talkers, 0);

const relayed: Record<string, Readonly<Record<"echo" | "warren" | "threeNodes", Saturated>>> = {};
for (const kind of ["candidate", "offer"] as const) {
  const results: Record<"echo" | "warren" | "threeNodes", Saturated[]> = {
    echo: [],
    warren: [],
    threeNodes: [],
  };
  for (let i = 0; i < rounds; i++) {
    results.echo.push(await saturate(echoPairs(echoClients, kind), [echo]));
    results.warren.push(await saturate(pairsOf(members, kind), [node]));
    results.threeNodes.push(await saturate(pairsOf(spread, kind), cluster));
  }
  relayed[kind] = {
    echo: middle(results.echo),
    warren: middle(results.warren),
    threeNodes: middle(results.threeNodes),
  };
}
const latency = {
  echo: await pace(echoPairs(echoClients, "candidate")),
  warren: await pace(pairsOf(members, "candidate")),
  threeNodes: await pace(pairsOf(spread, "candidate")),
};
console.table(
  Object.entries(relayed).flatMap(([kind, { echo: plain, warren, threeNodes }]) => [
    { kind, server: "ws echo", ...plain },
    { kind, server: "warren", ...warren },
    { kind, server: "warren, 3 nodes", ...threeNodes },
  ]),
);
console.table(latency);
await echo.stop();
await Promise.all([node, ...cluster].map((server) => server.stop()));
await redis.kill();

const idle: Record<string, Awaited<ReturnType<typeof idleKib>>> = {};
const quietEcho = await startEcho();
const kept: RawClient[] = [];
idle.echo = await idleKib(quietEcho, async (sockets) => {
  for (let next = 0; next < sockets; next += openAtOnce) {
    const batch = Array.from({ length: Math.min(openAtOnce, sockets - next) }, () =>
      RawClient.open(quietEcho.port),
    );
    kept.push(...(await Promise.all(batch)));
  }
});
await quietEcho.stop();
const quiet = await startNode({ main });
let firstRoom = 0;
idle.warren = await idleKib(quiet, async (sockets) => {
  await fill([quiet], sockets, firstRoom);
  firstRoom += sockets;
});
await quiet.stop();
console.table(
  Object.entries(idle).flatMap(([server, figures]) => figures.map((figure) => ({ server, ...figure }))),
);

const last = idle.warren.at(-1);
const result = {
  measuredAt: new Date().toISOString(),
  machine: `${cpus()[0]?.model ?? "unknown"}, ${cpus().length} processors, Node ${process.version}`,
  sockets: last?.sockets,
  kibPerIdleSocket: last?.kibPerSocket,
  signalsPerSecond: relayed.candidate?.warren.perSecond,
  p50Ms: latency.warren.p50Ms,
  p99Ms: latency.warren.p99Ms,
  joinStormSeconds: last?.openSeconds,
  relayed,
  latency,
  idle,
};
const folder = new URL("./results/", import.meta.url);
await mkdir(folder, { recursive: true });
await writeFile(new URL("server.json", folder), `${JSON.stringify(result, null, 2)}\n`);
process.exit(0);
