/**
 * Compares file transfers through the app with a bare data channel between the same two browsers.
 * `npm run bench -- [--quick] [--memory] [--rounds=5] [--mib=128] [--sizes=1,64,512] [--block=BYTES]
 * [--other=CHECKOUT or URL]`; design and results: docs/benchmarks.md.
 */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { cpus, loadavg, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { median } from "./median.ts";
import { type MadeFile, makeFile } from "./transfer/make-file.ts";
import { openBrowser, type Person, untilIdle } from "./transfer/person.ts";
import {
  type AppResult,
  enterRoom,
  openConversation,
  runApp,
  type SendTime,
  timeApp,
} from "./transfer/run-app.ts";
import { type RawResult, runRaw } from "./transfer/run-raw.ts";
import { serveRaw } from "./transfer/serve-raw.ts";
import { openOther, startApp } from "./transfer/start-app.ts";

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
    other: { type: "string" },
  },
});
const sizeMib = Number(flags.mib ?? (flags.quick ? 32 : 128));
const rounds = Number(flags.rounds ?? (flags.quick ? 2 : 5));
const memoryMib = 2_048;
/** Additional sizes to measure, including the start. */
const sizesMib = (flags.sizes ?? (flags.quick ? "1" : "1,64,512")).split(",").filter(Boolean).map(Number);

type Kind = "random" | "json";
type Kinds = Readonly<Record<Kind, AppResult>>;
interface Round extends Kinds {
  readonly raw: readonly [RawResult, RawResult];
  readonly other: Kinds | null;
}

/** A build whose pages are open in both browsers, in a room of its own. */
interface OpenBuild {
  readonly sender: Person;
  readonly receiver: Person;
}
type Run<T> = (sender: Person, receiver: Person, file: MadeFile) => Promise<T>;

const folder = await mkdtemp(join(tmpdir(), "warren-bench-files-"));
const app = await startApp();
const otherApp = flags.other === undefined ? null : await openOther(flags.other);
const bare = await serveRaw();
const browsers = await Promise.all([openBrowser(), openBrowser()]);
const [sender, receiver] = browsers;
try {
  const current = await openBuild(app.url, browsers);
  const other = otherApp && (await openBuild(otherApp.url, await Promise.all(browsers.map(withNewPage))));
  const measured: Round[] = [];
  for (let index = 0; index < rounds; index++) {
    const round = await runRound(index, current, other);
    measured.push(round);
    print(index, round);
  }
  const sizes: SizeResult[] = [];
  for (const size of sizesMib) sizes.push(await measureSize(size, current, other));
  const memory = flags.memory
    ? await withFile("random", "memory", memoryMib, (file) => runApp(sender, receiver, file))
    : null;
  await report(measured, sizes, memory);
} finally {
  await Promise.allSettled([
    ...browsers.map((browser) => browser.close()),
    app.stop(),
    otherApp?.stop(),
    rm(folder, { recursive: true }),
  ]);
  bare.close();
}

/** Lets two people meet in a new room of a build. */
async function openBuild(url: string, people: readonly Person[]): Promise<OpenBuild> {
  const [one, two] = people;
  if (!one || !two) throw new Error("two people are needed");
  const room = crypto.randomUUID();
  const blockSize = flags.block === undefined ? {} : { blockSize: Number(flags.block) };
  const options = JSON.stringify({ maxFileSize: 4_096 * mib, ...blockSize });
  for (const person of [one, two]) {
    await person.page.addInitScript((stored) => {
      if (localStorage.getItem("app_options") === null) localStorage.setItem("app_options", stored);
    }, options);
    await enterRoom(person, url, person === one ? "Ann" : "Ben", room);
  }
  await openConversation(one, "Ben");
  await openConversation(two, "Ann");
  return { sender: one, receiver: two };
}

async function withNewPage(person: Person): Promise<Person> {
  return { ...person, page: await person.context.newPage() };
}

/** A bare run, both kinds of files in alternating order, a bare run. */
async function runRound(index: number, current: OpenBuild, other: OpenBuild | null): Promise<Round> {
  const order: readonly Kind[] = index % 2 === 0 ? ["random", "json"] : ["json", "random"];
  const before = await runRaw(bare.url, sender, receiver, sizeMib * mib);
  const results: Partial<Record<Kind, InTurns<AppResult>>> = {};
  for (const kind of order)
    results[kind] = await inTurns(index, current, other, kind, `${kind}-${index}`, sizeMib, runApp);
  const after = await runRaw(bare.url, sender, receiver, sizeMib * mib);
  const { random, json } = results;
  if (!random || !json) throw new Error("a kind was left out");
  const ofOther = random.other && json.other ? { random: random.other, json: json.other } : null;
  return { raw: [before, after], random: random.current, json: json.current, other: ofOther };
}

interface InTurns<T> {
  readonly current: T;
  readonly other: T | null;
}

/** The same file through this build and the other one, if there is one; who goes first alternates. */
async function inTurns<T>(
  index: number,
  current: OpenBuild,
  other: OpenBuild | null,
  kind: Kind,
  name: string,
  fileMib: number,
  run: Run<T>,
): Promise<InTurns<T>> {
  const runIn = (build: OpenBuild, prefix: string) =>
    withFile(kind, `${prefix}-${name}`, fileMib, (file) => run(build.sender, build.receiver, file));
  if (other === null) return { current: await runIn(current, "this"), other: null };
  if (index % 2 === 0) return { current: await runIn(current, "this"), other: await runIn(other, "other") };
  const first = await runIn(other, "other");
  return { current: await runIn(current, "this"), other: first };
}

/**
 * Random bytes of one size: the time and the CPU time of both browsers from the pick to the complete card, and the
 * rate relative to a bare channel. With another build: its medians, and the median of the ratios to it of each round.
 */
interface SizeResult extends SizeTimes {
  readonly sizeMib: number;
  readonly ratio: number;
  readonly other: (SizeTimes & { readonly ratios: SizeTimes }) | null;
}

interface SizeTimes {
  readonly seconds: number;
  readonly cpuSeconds: number;
}

async function measureSize(size: number, current: OpenBuild, other: OpenBuild | null): Promise<SizeResult> {
  const runs: (InTurns<SendTime> & { readonly ratio: number })[] = [];
  for (let index = 0; index < rounds; index++) {
    const before = await runRaw(bare.url, sender, receiver, size * mib);
    const times = await inTurns(index, current, other, "random", `size-${size}-${index}`, size, timeApp);
    const after = await runRaw(bare.url, sender, receiver, size * mib);
    const mbps = (size * mib) / 1e3 / times.current.durationMs;
    runs.push({ ...times, ratio: mbps / ((before.mbps + after.mbps) / 2) });
  }
  const others = runs.flatMap((run) => (run.other === null ? [] : [{ ...run, other: run.other }]));
  const result = {
    sizeMib: size,
    ...medianTimes(runs.map((run) => run.current)),
    ratio: median(runs.map(({ ratio }) => ratio)),
    other:
      others.length === 0
        ? null
        : {
            ...medianTimes(others.map((run) => run.other)),
            ratios: {
              seconds: median(others.map((run) => run.current.durationMs / run.other.durationMs)),
              cpuSeconds: median(others.map((run) => run.current.cpuMs / run.other.cpuMs)),
            },
          },
  };
  console.log(`${size} MiB   ${timesText(result)}   ${result.ratio.toFixed(2)} of raw`);
  if (result.other)
    console.log(
      `        the other ${timesText(result.other)}   ` +
        `ratio ${result.other.ratios.seconds.toFixed(2)}, of CPU ${result.other.ratios.cpuSeconds.toFixed(2)}`,
    );
  return result;
}

function medianTimes(times: readonly SendTime[]): SizeTimes {
  return {
    seconds: median(times.map(({ durationMs }) => durationMs)) / 1e3,
    cpuSeconds: median(times.map(({ cpuMs }) => cpuMs)) / 1e3,
  };
}

function timesText({ seconds, cpuSeconds }: SizeTimes): string {
  return `${seconds.toFixed(3)} s   ${cpuSeconds.toFixed(3)} CPU s`;
}

/** Runs with a new file, which exists until the sender has copied it. */
async function withFile<T>(
  kind: Kind,
  name: string,
  fileMib: number,
  run: (file: MadeFile) => Promise<T>,
): Promise<T> {
  const file = await makeFile(
    join(folder, `${name}.${kind === "random" ? "bin" : "json"}`),
    kind,
    fileMib * mib,
  );
  try {
    const result = await run(file);
    await untilIdle(browsers);
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
    ...Object.entries(round.other ?? {}).map(
      ([kind, { mbps }]) => `other ${kind} ${mbps.toFixed(1)} (${(mbps / rawMbps(round)).toFixed(2)})`,
    ),
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
    other: otherApp && {
      mbps: medianOf(({ other }) => other?.[kind].mbps ?? Number.NaN),
      megabytesPerCpuSecond: medianOf(({ other }) => other?.[kind].megabytesPerCpuSecond ?? Number.NaN),
      /** The median of this build's rate by the other's, of each round. */
      ratio: medianOf((round) => round[kind].mbps / (round.other?.[kind].mbps ?? Number.NaN)),
      ratioPerCpuSecond: medianOf(
        (round) =>
          round[kind].megabytesPerCpuSecond / (round.other?.[kind].megabytesPerCpuSecond ?? Number.NaN),
      ),
    },
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
    other: flags.other,
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

function percent(share: number): string {
  return `${(share * 100).toFixed(0)} %`;
}
