/**
 * Sends one file to several people who accept at once, and to a single one, alternating with the same number
 * of bytes over one bare channel. `npm run bench:fan-out -- [--mib=5] [--people=7] [--rounds=4]`; results:
 * docs/benchmarks.md.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { chromium } from "@playwright/test";
import { launchOptions } from "../e2e/support/browser.ts";
import { type MadeFile, makeFile } from "./transfer/make-file.ts";
import type { Meters } from "./transfer/meters.ts";
import { cpuOf, openBrowser, type Person } from "./transfer/person.ts";
import { findProcess, ProcessTree } from "./transfer/process-tree.ts";
import { enterRoom, openConversation } from "./transfer/run-app.ts";
import { runRaw } from "./transfer/run-raw.ts";
import { serveRaw } from "./transfer/serve-raw.ts";
import { startApp } from "./transfer/start-app.ts";

declare const meters: Meters;

const { values: flags } = parseArgs({
  options: {
    mib: { type: "string", default: "5" },
    people: { type: "string", default: "7" },
    rounds: { type: "string", default: "4" },
  },
});
const [sizeMib, count, rounds] = [Number(flags.mib), Number(flags.people), Number(flags.rounds)];
const sizeBytes = sizeMib * 1024 * 1024;

const folder = await mkdtemp(join(tmpdir(), "warren-bench-files-"));
const [app, bare] = await Promise.all([startApp(), serveRaw()]);
const sender = await openBrowser();
const mark = `--warren-fan-out=${crypto.randomUUID()}`;
const browser = await chromium.launch({ ...launchOptions, args: [...(launchOptions.args ?? []), mark] });
try {
  const processes = new ProcessTree(await findProcess(mark));
  const receivers: Person[] = [];
  for (let index = 0; index < count; index++) {
    const context = await browser.newContext();
    const page = await context.newPage();
    receivers.push({ context, page, processes, close: () => context.close() });
  }
  const [first] = receivers;
  if (!first) throw new Error("nobody to send to");
  const room = crypto.randomUUID();
  await enterRoom(sender, app.url, "Ann", room);
  for (const [index, receiver] of receivers.entries())
    await enterRoom(receiver, app.url, `Ben${index + 1}`, room);
  for (const receiver of receivers) await openConversation(receiver, "Ann");
  await openConversation(sender, "Ben1");

  const ratios: { one: number; several: number }[] = [];
  for (let round = 0; round < rounds; round++) {
    const rawOne = await raw(first, sizeBytes);
    const one = await share(
      "Ben1",
      [first],
      await makeFile(join(folder, `one-${round}`), "random", sizeBytes),
    );
    const rawSeveral = await raw(first, sizeBytes * count);
    const file = await makeFile(join(folder, `several-${round}`), "random", sizeBytes);
    const several = await share("Everyone", receivers, file);
    ratios.push({ one: one.ms / rawOne, several: several.ms / rawSeveral });
    console.log(
      [
        `round ${round + 1}`,
        `one ${one.ms} ms (raw ${rawOne.toFixed(0)}, CPU ${one.cpuMs.toFixed(0)})`,
        `${count}: ${several.firstMs} to ${several.ms} ms (raw ${rawSeveral.toFixed(0)}, CPU ${several.cpuMs.toFixed(0)})`,
        `load ${loadavg()[0]?.toFixed(1)}`,
      ].join("   "),
    );
  }
  const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[values.length >> 1];
  console.log(
    `median of raw: one ${median(ratios.map(({ one }) => one))?.toFixed(2)}, ` +
      `${count} ${median(ratios.map(({ several }) => several))?.toFixed(2)}`,
  );
} finally {
  await Promise.allSettled([browser.close(), sender.close(), app.stop(), rm(folder, { recursive: true })]);
  bare.close();
}

async function raw(receiver: Person, bytes: number): Promise<number> {
  const { mbps } = await runRaw(bare.url, sender, receiver, bytes);
  return bytes / 1e3 / mbps;
}

/**
 * Offers a file in a conversation and accepts it everywhere at once: the times from the pick to the first and
 * the last receiver.
 */
async function share(conversation: string, people: readonly Person[], file: MadeFile) {
  const name = basename(file.path);
  const other = conversation === "Everyone" ? conversation : "Ann";
  for (const person of people) await open(person, other);
  await open(sender, conversation);
  const cpuBefore = await cpuOf([sender, ...people.slice(0, 1)]);
  const done = people.map(({ page }) => page.evaluate((fileName) => meters.whenComplete(fileName), name));
  await sender.page.evaluate(() => Reflect.deleteProperty(window, "showOpenFilePicker"));
  await sender.page.getByRole("button", { name: /^Send files.* clipboard/ }).click();
  const choosing = sender.page.waitForEvent("filechooser");
  await sender.page.getByRole("menuitem", { name: "Files" }).click();
  const chooser = await choosing;
  const started = sender.page.evaluate(() => meters.whenSent());
  await chooser.setFiles(file.path);
  const [startedAt, ...ends] = await Promise.all([started, ...done]);
  const cpuMs = (await cpuOf([sender, ...people.slice(0, 1)])) - cpuBefore;
  return { firstMs: Math.min(...ends) - startedAt, ms: Math.max(...ends) - startedAt, cpuMs };
}

async function open({ page }: Person, conversation: string): Promise<void> {
  await page
    .getByRole("navigation", { name: "People" })
    .getByRole("link", { name: new RegExp(conversation === "Ann" ? "^Ann" : conversation) })
    .click();
  await page.getByRole("heading", { level: 1, name: conversation }).waitFor();
}
