/**
 * Compares file transfers through the app with a bare data channel between the same two browsers.
 * `npm run bench -- [--quick] [--memory] [--rounds=5] [--mib=128] [--sizes=1,64,512] [--block=BYTES]`; design
 * and results: docs/benchmarks.md.
 */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { cpus, loadavg, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { type MadeFile, makeFile } from "./transfer/make-file.ts";
import { openBrowser, type Person, untilIdle } from "./transfer/person.ts";
import { type AppResult, enterRoom, openConversation, runApp, timeApp } from "./transfer/run-app.ts";
import { type RawResult, runRaw } from "./transfer/run-raw.ts";
import { serveRaw } from "./transfer/serve-raw.ts";
import { startApp } from "./transfer/start-app.ts";

const mib = 1024 * 1024;
/** If the two bare runs of a round differ by more, the machine was busy with something else. */
const rawSpreadLimit = 0.25;

const { values: flags } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    memory: { type: "boolean", default: false },
    rounds: { type: "string" },
    mib: { type: "string" },
    sizes: { type: "string" },
    block: { type: "string" },
  },
});
const sizeMib = Number(flags.mib ?? (flags.quick ? 32 : 128));
const rounds = Number(flags.rounds ?? (flags.quick ? 2 : 5));
const memoryMib = 2_048;
/** Additional sizes to measure, including the start. */
const sizesMib = (flags.sizes ?? (flags.quick ? "1" : "1,64,512")).split(",").filter(Boolean).map(Number);

type Kind = "random" | "json";
type Round = { readonly raw: readonly [RawResult, RawResult] } & Readonly<Record<Kind, AppResult>>;

const folder = await mkdtemp(join(tmpdir(), "warren-bench-files-"));
const [app, bare] = await Promise.all([startApp(), serveRaw()]);
const [sender, receiver] = await Promise.all([openBrowser(), openBrowser()]);
try {
  await meet(sender, receiver);
  const measured: Round[] = [];
  for (let index = 0; index < rounds; index++) {
    const round = await runRound(index);
    measured.push(round);
    print(index, round);
  }
  const sizes: SizeResult[] = [];
  for (const size of sizesMib) sizes.push(await measureSize(size));
  const memory = flags.memory ? await withFile("random", "memory", memoryMib, runApp) : null;
  await report(measured, sizes, memory);
} finally {
  await Promise.allSettled([sender.close(), receiver.close(), app.stop(), rm(folder, { recursive: true })]);
  bare.close();
}

async function meet(...people: readonly [Person, Person]): Promise<void> {
  const names = ["Ann", "Ben"];
  const room = crypto.randomUUID();
  const blockSize = flags.block === undefined ? {} : { blockSize: Number(flags.block) };
  const options = JSON.stringify({ maxFileSize: 4_096 * mib, ...blockSize });
  for (const [index, person] of people.entries()) {
    await person.context.addInitScript((stored) => {
      if (localStorage.getItem("app_options") === null) localStorage.setItem("app_options", stored);
    }, options);
    await enterRoom(person, app.url, names[index] ?? "", room);
  }
  await openConversation(people[0], "Ben");
  await openConversation(people[1], "Ann");
}

/** A bare run, both kinds of files in alternating order, a bare run. */
async function runRound(index: number): Promise<Round> {
  const order: readonly Kind[] = index % 2 === 0 ? ["random", "json"] : ["json", "random"];
  const before = await runRaw(bare.url, sender, receiver, sizeMib * mib);
  const results: Partial<Record<Kind, AppResult>> = {};
  for (const kind of order) results[kind] = await withFile(kind, `${kind}-${index}`, sizeMib, runApp);
  const after = await runRaw(bare.url, sender, receiver, sizeMib * mib);
  const { random, json } = results;
  if (!random || !json) throw new Error("a kind was left out");
  return { raw: [before, after], random, json };
}

/**
 * Random bytes of one size: the time from the pick to the complete card, and the rate relative to a bare
 * channel.
 */
interface SizeResult {
  readonly sizeMib: number;
  readonly seconds: number;
  readonly ratio: number;
}

async function measureSize(size: number): Promise<SizeResult> {
  const runs: Omit<SizeResult, "sizeMib">[] = [];
  for (let index = 0; index < rounds; index++) {
    const before = await runRaw(bare.url, sender, receiver, size * mib);
    const mbps = await withFile("random", `size-${size}-${index}`, size, timeApp);
    const after = await runRaw(bare.url, sender, receiver, size * mib);
    runs.push({ seconds: (size * mib) / 1e6 / mbps, ratio: mbps / ((before.mbps + after.mbps) / 2) });
  }
  const result = {
    sizeMib: size,
    seconds: median(runs.map(({ seconds }) => seconds)),
    ratio: median(runs.map(({ ratio }) => ratio)),
  };
  console.log(`${size} MiB   ${result.seconds.toFixed(2)} s   ${result.ratio.toFixed(2)} of raw`);
  return result;
}

/** Runs with a new file, which exists until the sender has copied it. */
async function withFile<T>(
  kind: Kind,
  name: string,
  fileMib: number,
  run: (sender: Person, receiver: Person, file: MadeFile) => Promise<T>,
): Promise<T> {
  const file = await makeFile(
    join(folder, `${name}.${kind === "random" ? "bin" : "json"}`),
    kind,
    fileMib * mib,
  );
  try {
    const result = await run(sender, receiver, file);
    await untilIdle([sender, receiver]);
    return result;
  } finally {
    await rm(file.path);
  }
}

function rawMbps({ raw }: Round): number {
  return (raw[0].mbps + raw[1].mbps) / 2;
}

function isQuiet({ raw: [before, after] }: Round): boolean {
  return Math.abs(before.mbps - after.mbps) / Math.max(before.mbps, after.mbps) <= rawSpreadLimit;
}

function print(index: number, round: Round): void {
  const { raw, random, json } = round;
  const cells = [
    `round ${index + 1}`,
    `raw ${raw.map(({ mbps }) => mbps.toFixed(1)).join(" and ")} MB/s`,
    ...Object.entries({ random, json }).map(
      ([kind, { mbps }]) => `${kind} ${mbps.toFixed(1)} (${(mbps / rawMbps(round)).toFixed(2)})`,
    ),
    `silent ${percent(random.silentFraction)} (raw ${percent(raw[0].silentFraction)})`,
    isQuiet(round) ? "" : "discarded",
  ];
  console.log(cells.join("   "));
}

async function report(
  measured: readonly Round[],
  sizes: readonly SizeResult[],
  memory: AppResult | null,
): Promise<void> {
  const kept = measured.filter(isQuiet);
  const used = kept.length > 0 ? kept : measured;
  const medianOf = (value: (round: Round) => number) => median(used.map(value));
  const kindOf = (kind: Kind) => ({
    ratio: medianOf((round) => round[kind].mbps / rawMbps(round)),
    mbps: medianOf((round) => round[kind].mbps),
    rawMbps: medianOf(rawMbps),
    megabytesPerCpuSecond: medianOf((round) => round[kind].megabytesPerCpuSecond),
    rawMegabytesPerCpuSecond: medianOf(
      ({ raw: [a, b] }) => (a.megabytesPerCpuSecond + b.megabytesPerCpuSecond) / 2,
    ),
  });
  const results = {
    machine: {
      cpu: cpus()[0]?.model ?? "unknown",
      cores: cpus().length,
      memoryGiB: Math.round(totalmem() / 1024 ** 3),
      loadAtEnd: loadavg().map((load) => Number(load.toFixed(1))),
      browser: sender.context.browser()?.version() ?? "unknown",
      measuredAt: new Date().toISOString(),
    },
    sizeMib,
    rounds: measured.length,
    discarded: measured.length - kept.length,
    /** True if no round was quiet: the medians then cover all rounds, and mean little. */
    noQuietRound: kept.length === 0,
    random: kindOf("random"),
    json: kindOf("json"),
    sizes,
    memory: {
      growthMiB: memory?.growthMiB ?? Math.max(...used.map(({ random }) => random.growthMiB)),
      sizeMib: memory ? memoryMib : sizeMib,
    },
    gaps: {
      fractionOver50ms: medianOf(({ random }) => random.silentFraction),
      rawFractionOver50ms: medianOf(({ raw }) => (raw[0].silentFraction + raw[1].silentFraction) / 2),
    },
    longestFrameGapMs: Math.max(
      ...used.flatMap((round) => [round.random, round.json].map((run) => run.longestFrameGapMs)),
    ),
  };
  const folderOfResults = fileURLToPath(new URL("results/", import.meta.url));
  await mkdir(folderOfResults, { recursive: true });
  const name = flags.quick ? "transfer-quick.json" : "transfer.json";
  await writeFile(join(folderOfResults, name), `${JSON.stringify(results, null, 2)}\n`);
  console.log(JSON.stringify(results, null, 2));
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(0)} %`;
}
