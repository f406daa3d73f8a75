import { readFile } from "node:fs/promises";
import type { Page, Worker } from "@playwright/test";
import type { Person } from "./person.ts";

/** What `page/meters.mjs` puts into pages and workers. */
export interface Meters {
  startSilence(): void;
  silentShare(): number;
  startFrames(): void;
  stopFrames(): number;
  whenSent(): Promise<number>;
  whenComplete(fileName: string): Promise<number>;
}
declare const meters: Meters;

const source = await readFile(new URL("../page/meters.mjs", import.meta.url), "utf8");

/** Puts the meters into a page that has loaded, and into its worker, before there are any data channels for files. */
export async function installMeters({ page }: Person): Promise<void> {
  await page.evaluate(source);
  const thread = transferThread(page);
  if (thread !== page) await thread.evaluate(source);
}

/** Notes when messages arrive. The answer is the share of the time that lay in gaps over 50 ms. */
export async function meterSilence({ page }: Person): Promise<() => Promise<number>> {
  const thread: Pick<Worker, "evaluate"> = transferThread(page);
  await thread.evaluate(() => meters.startSilence());
  return () => thread.evaluate(() => meters.silentShare());
}

/** Notes the longest frame of a page until the answer is called for, in ms; 0 where none took over 50. */
export async function meterFrames({ page }: Person): Promise<() => Promise<number>> {
  await page.evaluate(() => meters.startFrames());
  return () => page.evaluate(() => meters.stopFrames());
}

/** Samples what a browser's processes hold. The answer is the most that any of them grew, in MiB. */
export async function meterMemory({ processes }: Person): Promise<() => Promise<number>> {
  const before = await processes.memoryMiB();
  let growthMiB = 0;
  const sample = async () => {
    // Looking for the processes each time would take some 3 % of two processors from what is measured.
    for (const [pid, size] of await processes.memoryMiB(before.keys()))
      growthMiB = Math.max(growthMiB, size - (before.get(pid) ?? size));
  };
  let sampling = Promise.resolve();
  const timer = setInterval(() => {
    sampling = sampling.then(sample);
  }, 500);
  return async () => {
    clearInterval(timer);
    await sampling;
    return growthMiB;
  };
}

/** The app's transfer worker, or the page itself where there is none. */
function transferThread(page: Page): Pick<Worker, "evaluate"> {
  return page.workers().find((worker) => worker.url().includes("transfer-worker")) ?? page;
}
