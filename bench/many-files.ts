/**
 * Compares sending many small files at once as one tree with sending them one by one, in two browsers through
 * the app. `npm run bench:files -- [--rounds=3] [--files=200] [--kib=10]`; measures from the drop until the
 * receiver has stored every file completely.
 */
import { randomFillSync } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Page } from "@playwright/test";
import { openBrowser, type Person } from "./transfer/person.ts";
import { enterRoom } from "./transfer/run-app.ts";
import { startApp } from "./transfer/start-app.ts";

/** Fewer files than this in one drop are sent one by one; see `singleFilesMax` in the app. */
const oneByOne = 8;

const { values: flags } = parseArgs({
  options: { rounds: { type: "string" }, files: { type: "string" }, kib: { type: "string" } },
});
const rounds = Number(flags.rounds ?? 3);
const fileCount = Number(flags.files ?? 200);
const fileKib = Number(flags.kib ?? 10);

const folder = await mkdtemp(join(tmpdir(), "warren-bench-many-"));
const app = await startApp();
const [sender, receiver] = await Promise.all([openBrowser(), openBrowser()]);
try {
  await meet(sender, receiver);
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const together = await measure(`${round}-together`, fileCount, 1);
    const apart = await measure(`${round}-apart`, oneByOne, fileCount);
    ratios.push(apart / together);
    console.log(`together ${Math.round(together)} ms, one by one ${Math.round(apart)} ms`);
  }
  ratios.sort((a, b) => a - b);
  const median = ratios[Math.floor(ratios.length / 2)] ?? Number.NaN;
  console.log(
    `${fileCount} files of ${fileKib} KiB: together ${median.toFixed(1)} times as fast (median of ${rounds})`,
  );
} finally {
  await Promise.allSettled([sender.close(), receiver.close(), app.stop(), rm(folder, { recursive: true })]);
}

async function meet(...people: readonly [Person, Person]): Promise<void> {
  const room = crypto.randomUUID();
  for (const [index, person] of people.entries()) {
    await person.context.addInitScript(() => {
      if (localStorage.getItem("app_options") === null)
        localStorage.setItem("app_options", JSON.stringify({ automaticDownload: true }));
    });
    await enterRoom(person, app.url, ["Ann", "Ben"][index] ?? "", room);
  }
  for (const [index, { page }] of people.entries()) {
    const other = ["Ben", "Ann"][index];
    const row = page.getByRole("navigation", { name: "People" }).getByRole("link");
    await row.filter({ hasText: `${other}` }).click({ timeout: 60_000 });
    await page.getByRole("textbox", { name: "Message" }).waitFor();
  }
}

/**
 * Drops all files in groups of `perDrop`.
 * @returns the ms until the receiver has stored as many more complete files.
 */
async function measure(name: string, perDrop: number, kept: number): Promise<number> {
  const paths = await writeFiles(join(folder, name));
  const goal = (await wholeFiles(receiver.page)) + kept;
  const started = performance.now();
  for (let start = 0; start < paths.length; start += perDrop)
    await drop(sender.page, paths.slice(start, start + perDrop));
  while ((await wholeFiles(receiver.page)) < goal) await receiver.page.waitForTimeout(20);
  return performance.now() - started;
}

async function writeFiles(place: string): Promise<string[]> {
  await mkdir(place);
  const paths = Array.from({ length: fileCount }, (_, index) => join(place, `note ${index}.bin`));
  await Promise.all(paths.map((path) => writeFile(path, randomFillSync(Buffer.alloc(fileKib * 1024)))));
  return paths;
}

async function drop(page: Page, files: readonly string[]): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files: [...files], dragOperationsMask: 1 };
  for (const type of ["dragEnter", "dragOver", "drop"] as const)
    await session.send("Input.dispatchDragEvent", { type, x: 600, y: 300, data });
  await session.detach();
}

/** The number of complete files in a page's storage. */
function wholeFiles(page: Page): Promise<number> {
  return page.evaluate(async () => {
    let count = 0;
    for (const { name = "" } of await indexedDB.databases()) {
      const opening = indexedDB.open(name);
      const database = await new Promise<IDBDatabase>((resolve, reject) => {
        opening.onsuccess = () => resolve(opening.result);
        opening.onerror = () => reject(opening.error);
      });
      if (database.objectStoreNames.contains("records")) {
        const reading = database.transaction("records").objectStore("records").getAll();
        const records = await new Promise<unknown[]>((resolve, reject) => {
          reading.onsuccess = () => resolve(reading.result);
          reading.onerror = () => reject(reading.error);
        });
        count += records.filter((record) => Reflect.get(Object(record), "state") === "complete").length;
      }
      database.close();
    }
    return count;
  });
}
