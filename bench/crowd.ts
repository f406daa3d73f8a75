/**
 * Lets crowds meet in one room and write to everyone: how long both take, the cost per text, and which texts
 * were lost, duplicated or failed. `npm run bench:crowd -- [--sizes=2,8,16,24] [--browsers=1]
 * [--patience=300]`; results: docs/benchmarks.md.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { cpus, loadavg } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { chromium } from "@playwright/test";
import { launchOptions } from "../e2e/support/browser.ts";
import { type CrowdResult, gatherCrowd } from "../e2e/support/crowd.ts";
import { findProcess, ProcessTree } from "./transfer/process-tree.ts";
import { startApp } from "./transfer/start-app.ts";

const textsEach = 3;
/** The number of printed entries per kind; the file has all. */
const printed = 10;

const { values: flags } = parseArgs({
  options: {
    sizes: { type: "string", default: "2,8,16,24" },
    browsers: { type: "string", default: "1" },
    patience: { type: "string", default: "300" },
  },
});

const app = await startApp();
try {
  const measured = [];
  for (const size of flags.sizes.split(",").map(Number)) {
    const result = await measure(size);
    measured.push(result);
    print(result);
    // After each size, so that an interrupted run keeps its results.
    await save(measured);
  }
} finally {
  await app.stop();
}

type Measured = Awaited<ReturnType<typeof measure>>;

async function measure(size: number) {
  const mark = `--warren-crowd=${crypto.randomUUID()}`;
  const options = { ...launchOptions, args: [...(launchOptions.args ?? []), mark] };
  const browsers = await Promise.all(
    Array.from({ length: Number(flags.browsers) }, () => chromium.launch(options)),
  );
  try {
    const processes = new ProcessTree(await findProcess(mark));
    let cpuMs = 0;
    const result = await gatherCrowd({
      url: app.url,
      size,
      textsEach,
      patienceMs: Number(flags.patience) * 1_000,
      browsers,
      onTexts: async (pass) => {
        const before = await processes.cpuMs();
        await pass();
        cpuMs = (await processes.cpuMs()) - before;
      },
    });
    const shown = size * textsEach * size;
    return {
      size,
      ...result,
      /** Elapsed time, and CPU time of the browsers, per text and page. */
      msPerTextAndPage: result.textsMs === null ? null : result.textsMs / shown,
      cpuMsPerTextAndPage: cpuMs / shown,
      load: loadavg().map((load) => Number(load.toFixed(1))),
    };
  } finally {
    await Promise.all(browsers.map((browser) => browser.close()));
  }
}

function print({ size, metMs, textsMs, msPerTextAndPage, cpuMsPerTextAndPage, load, ...lists }: Measured) {
  console.log(
    [
      `${size} pages`,
      `met in ${seconds(metMs)}`,
      `${size * textsEach} texts in ${seconds(textsMs)}`,
      `${msPerTextAndPage?.toFixed(2) ?? "-"} ms, ${cpuMsPerTextAndPage.toFixed(2)} ms of CPU a text and page`,
      `load ${load[0]}`,
    ].join("   "),
  );
  for (const kind of [
    "apart",
    "lost",
    "doubled",
    "failed",
  ] as const satisfies readonly (keyof CrowdResult)[]) {
    const list = lists[kind];
    if (list.length > 0) console.log(`  ${kind} (${list.length}): ${list.slice(0, printed).join("; ")}`);
  }
}

function seconds(ms: number | null): string {
  return ms === null ? "no time" : `${(ms / 1_000).toFixed(1)} s`;
}

async function save(measured: readonly Measured[]): Promise<void> {
  const machine = {
    cpu: cpus()[0]?.model ?? "unknown",
    cores: cpus().length,
    measuredAt: new Date().toISOString(),
  };
  const folder = fileURLToPath(new URL("results/", import.meta.url));
  await mkdir(folder, { recursive: true });
  await writeFile(`${folder}crowd.json`, `${JSON.stringify({ machine, measured }, null, 2)}\n`);
}
