import { readFile } from "node:fs/promises";
import type { Page, Worker } from "@playwright/test";
import type { Person } from "./person.ts";

/** The functions that `page/meters.mjs` adds to pages and workers. */
export interface Meters {
  startSilence(): void;
  silentFraction(): number;
  startFrames(): void;
  stopFrames(): number;
  whenSent(): Promise<number>;
  whenComplete(fileName: string): Promise<number>;
}
declare const meters: Meters;

const source = await readFile(new URL("../page/meters.mjs", import.meta.url), "utf8");

/** Adds the meters to a loaded page and its worker, before any data channels for files exist. */
export async function installMeters({ page }: Person): Promise<void> {
  await page.evaluate(source);
  await (await transferThread(page)).evaluate(source);
}

/** Records when messages arrive. The returned function gives the fraction of the time in gaps over 50 ms. */
export async function meterSilence({ page }: Person): Promise<() => Promise<number>> {
  const thread = await transferThread(page);
  await thread.evaluate(() => meters.startSilence());
  return () => thread.evaluate(() => meters.silentFraction());
}

/**
 * Records the longest frame of a page until the returned function is called, in ms; 0 if none exceeded 50.
 */
export async function meterFrames({ page }: Person): Promise<() => Promise<number>> {
  await page.evaluate(() => meters.startFrames());
  return () => page.evaluate(() => meters.stopFrames());
}

/**
 * Samples the memory of a browser's processes. The returned function gives the largest growth of one, in MiB.
 */
export async function meterMemory({ processes }: Person): Promise<() => Promise<number>> {
  const before = await processes.memoryMiB();
  let growthMiB = 0;
  const sample = async () => {
    // Finding the processes each time would take some 3 % of the two CPUs being measured.
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

/** The app's transfer worker, which starts a moment after people have met. */
async function transferThread(page: Page): Promise<Worker> {
  const isIts = (worker: Worker) => worker.url().includes("transfer-worker");
  return page.workers().find(isIts) ?? page.waitForEvent("worker", { predicate: isIts });
}
