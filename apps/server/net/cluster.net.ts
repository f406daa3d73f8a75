import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type RedisGroup, startRedisGroup } from "../src/testing/redis-server.ts";
import { type ServerNode, startNode } from "./cluster.ts";
import { ScriptedClient } from "./scripted-client.ts";

const clientCount = Number(process.env.WARREN_NET_CLIENTS ?? 2_000);
const membersPerRoom = 5;
const redisCount = 2;
const redisAwayMs = 60_000;
const nodesAwayMs = 120_000;

function tagOf(name: string): string {
  return createHash("sha256").update(`net ${name}`).digest("base64url");
}

function report(text: string): void {
  process.stdout.write(`${text}\n`);
}

let redises: RedisGroup[] = [];
let nodes: ServerNode[] = [];
let clients: ScriptedClient[] = [];
let nextPort = 0;
let joinSeconds = Number.NaN;

/** A balancer that knows which nodes take connections. */
function choosePort(): number {
  const ready = nodes.filter(({ isRunning }) => isRunning);
  return ready[nextPort++ % ready.length]?.port ?? 0;
}

const rooms = () => {
  const byRoom = new Map<string, ScriptedClient[]>();
  for (const client of clients) byRoom.set(client.room, [...(byRoom.get(client.room) ?? []), client]);
  return [...byRoom.values()];
};
/** Rooms whose members do not see exactly the others, with their orders. */
const wrongRooms = () =>
  rooms().filter((room) =>
    room.some(
      (client) =>
        !client.isIn ||
        client.members.size !== room.length - 1 ||
        room.some((other) => other !== client && client.members.get(other.clientId) !== other.order),
    ),
  ).length;

async function secondsUntil(isSo: () => boolean, withinS: number): Promise<number> {
  const startedAt = performance.now();
  while (!isSo()) {
    if (performance.now() - startedAt > withinS * 1000) throw new Error(`not within ${withinS} s`);
    await sleep(50);
  }
  return Math.round((performance.now() - startedAt) / 100) / 10;
}

function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return Math.round((sorted[Math.floor(q * (sorted.length - 1))] ?? Number.NaN) * 10) / 10;
}

let before = { falseLeaves: 0, orderChanges: 0 };
/** Events since the last call that no client should have seen. */
function trouble() {
  const present = new Set<string>(clients.map(({ clientId }) => clientId));
  const now = {
    falseLeaves: clients.reduce((sum, { left }) => sum + left.filter((id) => present.has(id)).length, 0),
    orderChanges: clients.reduce((sum, client) => sum + client.orderChanges, 0),
  };
  const since = {
    falseLeaves: now.falseLeaves - before.falseLeaves,
    orderChanges: now.orderChanges - before.orderChanges,
  };
  before = now;
  return since;
}
const none = { falseLeaves: 0, orderChanges: 0 };
const returns = () => clients.flatMap(({ returnsMs }) => returnsMs.splice(0));

// Each scenario starts with every client in its room, so that any of them can be run alone.
beforeAll(async () => {
  redises = await Promise.all(Array.from({ length: redisCount }, startRedisGroup));
  nodes = await Promise.all([1, 2, 3].map(() => startNode(redises.map(({ url }) => url))));
  clients = Array.from({ length: clientCount }, (_, number) => {
    const room = tagOf(String(Math.floor(number / membersPerRoom)));
    return new ScriptedClient(room, choosePort);
  });
  for (const client of clients) client.open();
  joinSeconds = await secondsUntil(() => wrongRooms() === 0, 120);
});
afterAll(async () => {
  for (const client of clients) client.vanish();
  await Promise.all([...nodes.map((node) => node.kill()), ...redises.map((redis) => redis.kill())]);
});

it("a join storm: everybody sees everybody in rooms across three nodes and two Redises", () => {
  report(`join storm of ${clientCount}: ${joinSeconds} s`);
  expect(trouble()).toEqual(none);
});

it("signals reach members on other nodes", async () => {
  const latenciesMs: number[] = [];
  const sample = clients.filter((_, index) => index % membersPerRoom === 0).slice(0, 300);
  for (let round = 0; round < 10; round++) {
    await Promise.all(
      sample.map(async (from, index) => {
        const to = clients[clients.indexOf(from) + 1];
        if (!to) return;
        await sleep((index % 100) * 10);
        const sentAt = performance.now();
        await new Promise<void>((resolve) => {
          to.onSignal = () => {
            latenciesMs.push(performance.now() - sentAt);
            resolve();
          };
          from.signal(to.clientId);
        });
      }),
    );
  }
  expect(latenciesMs).toHaveLength(10 * sample.length);
  report(
    `a signal between nodes: p50 ${quantile(latenciesMs, 0.5)} ms, p99 ${quantile(latenciesMs, 0.99)} ms`,
  );
});

it("a rolling deploy: every node is replaced, and nobody is seen to leave", async () => {
  for (const old of [...nodes]) {
    nodes.push(await startNode(redises.map(({ url }) => url)));
    nodes.splice(nodes.indexOf(old), 1);
    expect(await old.drain()).toBe(0);
  }
  const seconds = await secondsUntil(() => wrongRooms() === 0, 60);
  const seen = trouble();
  report(`rolling deploy: whole again ${seconds} s after the last, ${JSON.stringify(seen)}`);
  expect(seen).toEqual(none);
});

it("kill -9 of a node: its clients resume elsewhere, and those that do not are gone within a minute", async () => {
  // A node that has just reached Redis trusts only the leases.
  await sleep(8_000);
  returns();
  const [victim] = nodes.splice(0, 1);
  if (!victim) throw new Error("no node");
  const ghosts = clients.filter(({ port }, index) => port === victim.port && index % 50 === 0);
  trouble();
  // Killed before it can notice that they left: their seats are kept as those of a dead node.
  const dead = victim.kill();
  for (const ghost of ghosts) ghost.vanish();
  clients = clients.filter((client) => !ghosts.includes(client));
  await dead;
  const resumed = await secondsUntil(() => clients.every(({ isIn }) => isIn), 60);
  const returnsMs = returns();
  const gone = new Set<string>(ghosts.map(({ clientId }) => clientId));
  const whole = await secondsUntil(
    () => clients.every(({ members }) => ![...members.keys()].some((id) => gone.has(id))),
    45,
  );
  const seen = trouble();
  report(
    `kill -9: ${returnsMs.length} back after p50 ${quantile(returnsMs, 0.5)} ms, p95 ${quantile(returnsMs, 0.95)} ms, all after ${resumed} s; ${ghosts.length} ghosts gone ${whole} s later; ${JSON.stringify(seen)}`,
  );
  expect(seen).toEqual(none);
  nodes.push(await startNode(redises.map(({ url }) => url)));
});

it("Redis that hangs for 2 s, and is gone for a minute and comes back empty", async () => {
  for (const redis of redises) redis.pause();
  await sleep(2_000);
  for (const redis of redises) redis.resume();
  await Promise.all(redises.map((redis) => redis.kill()));
  await sleep(redisAwayMs);
  expect(nodes.every(({ isRunning }) => isRunning)).toBe(true);
  await Promise.all(redises.map((redis) => redis.start()));
  const room = clients.slice(0, membersPerRoom);
  const [from, to] = [room[0], room[1]];
  let arrived = false;
  if (to)
    to.onSignal = () => {
      arrived = true;
    };
  const seconds = await secondsUntil(() => {
    if (to) from?.signal(to.clientId);
    return arrived;
  }, 30);
  await secondsUntil(() => wrongRooms() === 0, 60);
  const seen = trouble();
  report(
    `Redis gone for ${redisAwayMs / 1000} s and empty: a signal arrives ${seconds} s after; ${JSON.stringify(seen)}`,
  );
  expect(seen.falseLeaves).toBe(0);
});

it("a replica of each Redis takes over, twice: the old master becomes its replica, or is killed", async () => {
  for (const kind of ["planned", "unplanned"] as const) {
    await Promise.all(redises.map((redis) => redis.failOver(kind)));
    const [from, to] = clients;
    if (!from || !to) throw new Error("no clients");
    let hasArrived = false;
    to.onSignal = () => {
      hasArrived = true;
    };
    const seconds = await secondsUntil(() => {
      from.signal(to.clientId);
      return hasArrived;
    }, 30);
    // Opening a room writes to Redis, which a master that became a replica refuses.
    const newcomer = new ScriptedClient(tagOf(kind), choosePort);
    newcomer.open();
    const inSeconds = await secondsUntil(() => newcomer.isIn, 30);
    newcomer.vanish();
    await secondsUntil(() => wrongRooms() === 0, 60);
    const seen = trouble();
    report(
      `${kind} failover: a signal between nodes ${seconds} s after, a new room opens ${inSeconds} s later; ${JSON.stringify(seen)}`,
    );
    expect(seen).toEqual(none);
  }
});

it("every node is killed and gone for two minutes: newcomers are in at once, everybody else keeps the place it had", async () => {
  returns();
  await Promise.all(nodes.map((node) => node.kill()));
  await sleep(nodesAwayMs);
  const startedAt = performance.now();
  nodes = await Promise.all([1, 2, 3].map(() => startNode(redises.map(({ url }) => url))));
  const newcomers = Array.from({ length: 20 }, (_, number) => {
    return new ScriptedClient(tagOf(`after ${Math.floor(number / 2)}`), choosePort);
  });
  for (const client of newcomers) client.open();
  await secondsUntil(() => newcomers.every(({ isIn, members }) => isIn && members.size === 1), 30);
  const newcomersMs = Math.round(performance.now() - startedAt);
  for (const client of newcomers) client.vanish();
  const seconds = await secondsUntil(() => clients.every(({ isIn }) => isIn), 60);
  await secondsUntil(() => wrongRooms() === 0, 60);
  const seen = trouble();
  report(
    `all nodes gone for ${nodesAwayMs / 1000} s: newcomers met ${newcomersMs} ms after the start of the first, all ${clients.length} back ${seconds} s later; ${JSON.stringify(seen)}`,
  );
  expect(newcomersMs).toBeLessThan(5_000);
  expect(seen).toEqual(none);
});

it("a reconnect storm: every socket is cut at once", async () => {
  returns();
  for (const client of clients) client.cut();
  await secondsUntil(() => clients.every(({ isIn }) => !isIn), 10).catch(() => {});
  const seconds = await secondsUntil(() => clients.every(({ isIn }) => isIn), 120);
  const returnsMs = returns();
  const seen = trouble();
  report(
    `reconnect storm of ${clients.length}: p95 ${quantile(returnsMs, 0.95)} ms, p99 ${quantile(returnsMs, 0.99)} ms, all ${seconds} s; ${JSON.stringify(seen)}`,
  );
  expect(seen).toEqual(none);
});
