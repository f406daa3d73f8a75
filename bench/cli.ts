/**
 * Compares a pair of terminals with a pair of browsers in the same run: a file, a pipe, and one bare channel of
 * node-datachannel. `npm run bench:cli -- [--rounds=5] [--mib=128]`; design and results: docs/benchmarks.md.
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { createReadStream } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { type Program, Stage, sha256Of } from "../apps/cli/src/testing/program.ts";
import { median } from "./median.ts";
import { type MadeFile, makeFile } from "./transfer/make-file.ts";
import { openBrowser, type Person, untilIdle } from "./transfer/person.ts";
import { enterRoom, openConversation, timeApp } from "./transfer/run-app.ts";
import { startApp } from "./transfer/start-app.ts";

const mib = 1024 * 1024;
const { values: flags } = parseArgs({ options: { rounds: { type: "string" }, mib: { type: "string" } } });
const rounds = Number(flags.rounds ?? 5);
const sizeBytes = Number(flags.mib ?? 128) * mib;

type Kind = "browsers" | "terminals" | "pipe" | "bare";
type Round = Readonly<Record<Kind, number>>;

const folder = await mkdtemp(join(tmpdir(), "warren-bench-cli-"));
const stage = new Stage();
const app = await startApp();
const [sender, receiver] = await Promise.all([openBrowser(), openBrowser()]);
try {
  await meet(sender, receiver);
  const measured: Round[] = [];
  for (let index = 0; index < rounds; index++) {
    const file = await makeFile(join(folder, `noise-${index}.bin`), "random", sizeBytes);
    const { durationMs } = await timeApp(sender, receiver, file);
    await untilIdle([sender, receiver]);
    const round = {
      browsers: sizeBytes / 1e3 / durationMs,
      terminals: await timeTerminals(file),
      pipe: await timePipe(file),
      bare: await timeBare(),
    };
    await rm(file.path);
    measured.push(round);
    console.log(
      Object.entries(round)
        .map(([kind, mbps]) => `${kind} ${mbps.toFixed(1)} MB/s`)
        .join("   "),
    );
  }
  await report(measured);
} finally {
  await Promise.allSettled([sender.close(), receiver.close(), app.stop(), stage.close()]);
  await rm(folder, { recursive: true });
}

async function meet(...people: readonly [Person, Person]): Promise<void> {
  const room = crypto.randomUUID();
  for (const [index, person] of people.entries())
    await enterRoom(person, app.url, ["Ann", "Ben"][index] ?? "", room);
  await openConversation(people[0], "Ben");
  await openConversation(people[1], "Ann");
}

function run(...args: readonly string[]): Program {
  const flags = ["--json", "--stun", "none"];
  return stage.run([...args, ...flags], { data: stage.person(), env: { WARREN_SERVER: app.url } });
}

/** From the offer, which is accepted at once, until the file has its name. @returns the rate in MB/s */
async function timeTerminals(file: MadeFile): Promise<number> {
  const out = await mkdtemp(join(folder, "out-"));
  const sending = run("send", file.path);
  const receiving = run("receive", await sending.link(), "--yes", "--dir", out);
  await receiving.event("offer");
  const startMs = performance.now();
  const { path } = await receiving.event("received");
  const durationMs = performance.now() - startMs;
  if ((await sha256Of(String(path))) !== file.sha256) throw new Error("the file arrived with other bytes");
  await Promise.all([sending.exit(), receiving.exit()]);
  await rm(out, { recursive: true });
  return file.sizeBytes / 1e3 / durationMs;
}

/** As {@link timeTerminals}, from pipe to pipe, until the receiver has written everything. */
async function timePipe(file: MadeFile): Promise<number> {
  const sending = run("send", "-");
  const { stdin } = sending.child;
  if (stdin) await pipeline(createReadStream(file.path), stdin);
  const receiving = run("receive", await sending.link(), "--yes", "--dir", "-");
  await receiving.event("offer");
  const startMs = performance.now();
  await receiving.event("received");
  const durationMs = performance.now() - startMs;
  await Promise.all([sending.exit(), receiving.exit()]);
  if (receiving.stdout.length !== file.sizeBytes) throw new Error("the pipe lost bytes");
  return file.sizeBytes / 1e3 / durationMs;
}

async function timeBare(): Promise<number> {
  const module = fileURLToPath(new URL("raw/node-channel.mjs", import.meta.url));
  const start = (role: string): ChildProcess => fork(module, [role, String(sizeBytes)]);
  const [from, to] = [start("send"), start("receive")];
  try {
    await Promise.all([once(from, "message"), once(to, "message")]);
    const durationMs = await new Promise<number>((resolve, reject) => {
      for (const child of [from, to])
        child.on("exit", () => reject(new Error("a process of the bare channel ended")));
      from.on("message", (signal) => to.send(signal));
      to.on("message", (message: { durationMs?: number }) => {
        if (message.durationMs === undefined) from.send(message);
        else resolve(message.durationMs);
      });
      from.send({ start: true });
    });
    return sizeBytes / 1e3 / durationMs;
  } finally {
    for (const child of [from, to]) child.kill();
  }
}

async function report(measured: readonly Round[]): Promise<void> {
  const medianOf = (value: (round: Round) => number) => median(measured.map(value));
  const results = {
    machine: {
      cpu: cpus()[0]?.model ?? "unknown",
      cores: cpus().length,
      loadAtEnd: loadavg().map((load) => Number(load.toFixed(1))),
      browser: sender.context.browser()?.version() ?? "unknown",
      measuredAt: new Date().toISOString(),
    },
    sizeMib: sizeBytes / mib,
    rounds: measured.length,
    mbps: {
      browsers: medianOf(({ browsers }) => browsers),
      terminals: medianOf(({ terminals }) => terminals),
      pipe: medianOf(({ pipe }) => pipe),
      bare: medianOf(({ bare }) => bare),
    },
    terminalsOfBrowsers: medianOf(({ terminals, browsers }) => terminals / browsers),
    pipeOfFile: medianOf(({ pipe, terminals }) => pipe / terminals),
    terminalsOfBare: medianOf(({ terminals, bare }) => terminals / bare),
  };
  const folderOfResults = fileURLToPath(new URL("results/", import.meta.url));
  await mkdir(folderOfResults, { recursive: true });
  await writeFile(join(folderOfResults, "cli.json"), `${JSON.stringify(results, null, 2)}\n`);
  console.log(JSON.stringify(results, null, 2));
}
