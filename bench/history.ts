/**
 * Measures a long conversation in a real browser: how fast it opens, how much of it is rendered, and how
 * smoothly it scrolls. `tsx bench/history.ts [messages] [files]`; the messages, texts or received files, are
 * written into the browser's database beforehand.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { cpus } from "node:os";
import { fileURLToPath } from "node:url";
import type { Page } from "@playwright/test";
import { type History, writeHistory } from "./page/write-history.ts";
import { openBrowser } from "./transfer/person.ts";
import { startApp } from "./transfer/start-app.ts";

const messageCount = Math.min(Number(process.argv[2] ?? 50_000), 200_000);
const kind = process.argv[3] === "files" ? "files" : "texts";
const rounds = 5;
const mara = "00000000-0000-4000-8000-000000000001";

const [app, person] = await Promise.all([startApp(), openBrowser()]);
try {
  const { page } = person;
  await page.goto(app.url);
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.evaluate<void, History>(writeHistory, {
    people: [{ clientId: mara, name: "Mara" }],
    messageCount,
    kind,
  });
  const devtools = await page.context().newCDPSession(page);
  const heapMib: number[] = [];
  const loadedMs: number[] = [];
  const switchedMs: number[] = [];
  for (let round = 0; round < rounds; round++) {
    loadedMs.push(await timeLoad(page));
    await devtools.send("HeapProfiler.collectGarbage");
    heapMib.push((await devtools.send("Runtime.getHeapUsage")).usedSize / 1024 ** 2);
    switchedMs.push(await timeSwitch(page));
  }
  const drawnRows = await countRows(page);
  const scroll = await page.evaluate(scrollUp);
  const toStartMs = await timeToStart(page);
  const results = {
    machine: {
      cpu: cpus()[0]?.model ?? "unknown",
      cores: cpus().length,
      measuredAt: new Date().toISOString(),
    },
    messages: messageCount,
    kind,
    /** From the navigation to the last message being visible. */
    loadedMs: median(loadedMs),
    /** The page's heap after garbage collection, with the end of the conversation visible. */
    heapMib: median(heapMib),
    /** From the click on the person to the last message being visible. */
    switchedMs: median(switchedMs),
    drawnRows,
    ...scroll,
    /** From the Home key to the first message being visible. */
    toStartMs: Math.round(toStartMs),
    drawnRowsAtStart: await countRows(page),
  };
  const folder = fileURLToPath(new URL("results/", import.meta.url));
  await mkdir(folder, { recursive: true });
  await writeFile(`${folder}history.json`, `${JSON.stringify(results, null, 2)}\n`);
  console.log(JSON.stringify(results, null, 2));
} finally {
  await Promise.allSettled([person.close(), app.stop()]);
}

async function timeLoad(page: Page): Promise<number> {
  await page.goto(`${app.url}client/${mara}/chat`);
  return whenShown(page, `message ${messageCount - 1}.`);
}

/** Switches to another conversation and back, by clicking. */
async function timeSwitch(page: Page): Promise<number> {
  const people = page.getByRole("navigation", { name: "People" });
  await people.getByRole("link", { name: /^Everyone/ }).click();
  await page.getByRole("heading", { level: 1, name: "Everyone" }).waitFor();
  const before = await page.evaluate(() => performance.now());
  await people.getByRole("link", { name: /Mara/ }).click();
  return (await whenShown(page, `message ${messageCount - 1}.`)) - before;
}

async function timeToStart(page: Page): Promise<number> {
  await page.getByRole("log").getByRole("article").last().focus();
  const before = await page.evaluate(() => performance.now());
  await page.keyboard.press("Home");
  return (await whenShown(page, "message 0.")) - before;
}

function countRows(page: Page): Promise<number> {
  return page.getByRole("log").getByRole("article").count();
}

function median(values: readonly number[]): number {
  return Math.round([...values].sort((a, b) => a - b)[values.length >> 1] ?? 0);
}

/** Resolves with the time, by the page's clock, at which a text is visible in the log. */
async function whenShown(page: Page, text: string): Promise<number> {
  const shown = await page.waitForFunction(
    (words) => {
      const log = document.querySelector('[role="log"]');
      const frame = log?.getBoundingClientRect();
      const place = [...(log?.querySelectorAll("article") ?? [])]
        .find((article) => article.textContent?.includes(words))
        ?.getBoundingClientRect();
      return frame && place && place.bottom > frame.top && place.top < frame.bottom && performance.now();
    },
    text,
    { polling: "raf", timeout: 60_000 },
  );
  return Number(await shown.jsonValue());
}

/** In the page: scrolls up a third of a screen per frame, 300 times, and records the cost. */
async function scrollUp(): Promise<{
  longestFrameMs: number;
  framesOver50ms: number;
  mostRowsDrawn: number;
}> {
  const log = document.querySelector('[role="log"]');
  if (!log) throw new Error("no log");
  const frames: number[] = [];
  let mostRowsDrawn = 0;
  let last = performance.now();
  for (let step = 0; step < 300; step++) {
    log.scrollTop -= log.clientHeight / 3;
    await new Promise(requestAnimationFrame);
    const now = performance.now();
    frames.push(now - last);
    last = now;
    mostRowsDrawn = Math.max(mostRowsDrawn, log.querySelectorAll("article").length);
  }
  return {
    longestFrameMs: Math.round(Math.max(...frames)),
    framesOver50ms: frames.filter((frame) => frame > 50).length,
    mostRowsDrawn,
  };
}
