/**
 * Compares file transfers through the app, which opens lanes, with a single bare connection over long and
 * lossy links: both browsers reach each other only through a relay behind a shaping proxy.
 * `npm run bench:net`; needs coturn. Results: docs/benchmarks.md.
 */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { cpus, loadavg, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { countConnections } from "./net/count-connections.ts";
import { type ShapedRelay, startRelay } from "./net/start-relay.ts";
import { makeFile } from "./transfer/make-file.ts";
import { openBrowser, type Person } from "./transfer/person.ts";
import { enterRoom, openConversation, runApp } from "./transfer/run-app.ts";
import { runRaw } from "./transfer/run-raw.ts";
import { serveRaw } from "./transfer/serve-raw.ts";
import { startApp } from "./transfer/start-app.ts";

const mib = 1024 * 1024;
const megabitsPerSecond = 200;
const queueMs = 100;

/** The intended duration of a transfer through the app. */
const appSeconds = 30;
const appMibLimit = 128;

/**
 * The links, with the size sent over one connection, and the assumed speed-up by lanes for sizing the app's
 * transfer.
 */
const profiles = [
  { name: "50 ms, 1 %", roundTripMs: 50, lossFraction: 0.01, rawMib: 2, gain: 6 },
  { name: "20 ms, 0.5 %", roundTripMs: 20, lossFraction: 0.005, rawMib: 6, gain: 3 },
  { name: "50 ms, 0 %", roundTripMs: 50, lossFraction: 0, rawMib: 12, gain: 2 },
  { name: "2 ms, 0 %", roundTripMs: 2, lossFraction: 0, rawMib: 16, gain: 1 },
];
type Profile = (typeof profiles)[number];

// Ensures that child processes end with this one, whatever signal ends it.
for (const signal of ["SIGTERM", "SIGHUP"]) process.once(signal, () => process.exit(1));

const folder = await mkdtemp(join(tmpdir(), "warren-bench-files-"));
const [app, bare] = await Promise.all([startApp(), serveRaw()]);
try {
  const measured = [];
  for (const profile of profiles) {
    const result = await measure(profile);
    measured.push(result);
    console.log(JSON.stringify(result));
    // After each profile, so that an interrupted run keeps its results.
    await save(measured);
  }
  printTable(measured);
} finally {
  await Promise.allSettled([app.stop(), rm(folder, { recursive: true })]);
  bare.close();
}

type Measured = Awaited<ReturnType<typeof measure>>;

async function measure(profile: Profile) {
  const { name, roundTripMs, lossFraction } = profile;
  // A round trip passes the line four times; a packet may be lost once in each direction.
  const line = { delayMs: roundTripMs / 4, megabitsPerSecond, queueMs };
  const relay = await startRelay({ up: { ...line, lossFraction }, down: { ...line, lossFraction: 0 } });
  const people = await Promise.all([openBrowser(), openBrowser()]);
  try {
    return { name, ...(await compare(profile, relay, people)) };
  } finally {
    await Promise.allSettled([...people.map((person) => person.close()), relay.stop()]);
  }
}

/** One bare connection, the app, and one bare connection again. */
async function compare(
  { rawMib, gain }: Profile,
  { server }: ShapedRelay,
  [sender, receiver]: readonly [Person, Person],
) {
  const { url: urls, username, password: credential } = server;
  const configuration = {
    iceServers: [{ urls, username, credential }],
    iceTransportPolicy: "relay" as const,
  };
  const raw = () => runRaw(bare.url, sender, receiver, rawMib * mib, configuration);
  const before = await raw();
  const connections = await countConnections(sender);
  await meet([sender, receiver], server);
  const appMib = Math.min(appMibLimit, Math.ceil((before.mbps * 1e6 * gain * appSeconds) / mib));
  const file = await makeFile(join(folder, "file.bin"), "random", appMib * mib);
  const { mbps: lanesMbps } = await runApp(sender, receiver, file);
  const mostConnections = await connections();
  const after = await raw();
  const oneConnectionMbps = (before.mbps + after.mbps) / 2;
  return {
    oneConnectionMbps,
    lanesMbps,
    ratio: lanesMbps / oneConnectionMbps,
    mostConnections,
    appMib,
    rawMbps: [before.mbps, after.mbps],
  };
}

async function meet(people: readonly [Person, Person], server: ShapedRelay["server"]): Promise<void> {
  const names = ["Ann", "Ben"];
  const room = crypto.randomUUID();
  const servers = { stuns: [], turns: [{ authMethod: "longterm", ...server }] };
  const options = JSON.stringify({ servers, relayOnly: true });
  for (const [index, person] of people.entries()) {
    await person.context.addInitScript((stored) => localStorage.setItem("app_options", stored), options);
    await enterRoom(person, app.url, names[index] ?? "", room);
  }
  await openConversation(people[0], "Ben");
  await openConversation(people[1], "Ann");
}

async function save(measured: readonly Measured[]): Promise<void> {
  const results = {
    machine: {
      cpu: cpus()[0]?.model ?? "unknown",
      cores: cpus().length,
      memoryGiB: Math.round(totalmem() / 1024 ** 3),
      loadAtEnd: loadavg().map((load) => Number(load.toFixed(1))),
      measuredAt: new Date().toISOString(),
    },
    line: { megabitsPerSecond, queueMs },
    profiles: measured,
  };
  const folderOfResults = fileURLToPath(new URL("results/", import.meta.url));
  await mkdir(folderOfResults, { recursive: true });
  await writeFile(join(folderOfResults, "net.json"), `${JSON.stringify(results, null, 2)}\n`);
}

function printTable(measured: readonly Measured[]): void {
  console.log("| Path | One connection, MB/s | Lanes, MB/s | Ratio | Connections |\n|---|---|---|---|---|");
  for (const { name, oneConnectionMbps, lanesMbps, ratio, mostConnections } of measured) {
    const cells = [
      name,
      ...[oneConnectionMbps, lanesMbps, ratio].map((value) => value.toFixed(2)),
      mostConnections,
    ];
    console.log(`| ${cells.join(" | ")} |`);
  }
}
