/**
 * Keeps the signalling server busy and reports whether its memory grows: every second some members leave,
 * some are lost and as many join, in ever new rooms, while signals are relayed. `tsx bench/soak.ts
 * [minutes]`, 10 by default, after `npm run build`. The first two minutes fill pools and compile code; after
 * that memory is read each minute, after a garbage collection.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { driftOf } from "./server/drift.ts";
import { at, join, type Member, membersPerRoom, pairsOf } from "./server/members.ts";
import { startNode } from "./server/processes.ts";

const minutes = Number(process.argv[2] ?? 10);
const roomsAtOnce = 100;
const roomsChangedPerSecond = 5;
const signalsPerTick = 100;
const tickMs = 100;
/** More is a leak, or an oversized pool. */
const driftMax = 0.05;
/** The seat of a lost member is kept for 90 s; after that their number is constant. */
const warmUpMs = 120_000;

const server = await startNode();
let roomNumber = 0;
let joins = 0;
let signals = 0;

async function openRoom(): Promise<readonly Member[]> {
  const room = roomNumber++;
  joins += membersPerRoom;
  return Promise.all(Array.from({ length: membersPerRoom }, () => join(server, room)));
}

/** Half of the members leave explicitly; the others are lost. */
function closeRoom(members: readonly Member[]): void {
  for (const [index, { client }] of members.entries()) {
    if (index % 2 === 0) client.send(JSON.stringify({ type: "leave" }));
    client.drop();
  }
}

const rooms: (readonly Member[])[] = [];
while (rooms.length < roomsAtOnce) rooms.push(await openRoom());

const startedAt = performance.now();
const samples: { readonly minute: number; readonly rssMib: number }[] = [];
let changedAt = startedAt;
let sampleAt = startedAt + warmUpMs;
while (performance.now() < startedAt + warmUpMs + minutes * 60_000 + 5_000) {
  const pairs = pairsOf(at(rooms, Math.floor(Math.random() * rooms.length)), "candidate");
  for (let i = 0; i < signalsPerTick; i++) at(pairs, i).from.write(at(pairs, i).frame);
  signals += signalsPerTick;
  await sleep(tickMs);
  if (performance.now() >= changedAt + 1_000) {
    changedAt += 1_000;
    for (const members of rooms.splice(0, roomsChangedPerSecond)) closeRoom(members);
    rooms.push(...(await Promise.all(Array.from({ length: roomsChangedPerSecond }, openRoom))));
  }
  if (performance.now() >= sampleAt) {
    const rssMib = (await server.settled()) / 1024 / 1024;
    samples.push({
      minute: Math.round((sampleAt - startedAt - warmUpMs) / 60_000),
      rssMib: Math.round(rssMib * 10) / 10,
    });
    console.log(samples.at(-1));
    sampleAt += 60_000;
  }
}

const drift = driftOf(samples.map(({ rssMib }) => rssMib));
console.log({ minutes, joins, signals, driftPercent: Math.round(drift * 1000) / 10 });
const folder = new URL("./results/", import.meta.url);
await mkdir(folder, { recursive: true });
const result = { measuredAt: new Date().toISOString(), minutes, joins, signals, drift, samples };
await writeFile(new URL("soak.json", folder), `${JSON.stringify(result, null, 2)}\n`);
await server.stop();
process.exit(drift < driftMax ? 0 : 1);
