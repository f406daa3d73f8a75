/**
 * Measures the search over all conversations in a real browser: from typing a query to its first result on the screen, and until
 * everything was searched, with nothing read yet and with what the search before has read. `tsx bench/search.ts [messages] [people]`;
 * the messages are texts, written into the browser's database beforehand.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { cpus } from "node:os";
import { fileURLToPath } from "node:url";
import type { Page } from "@playwright/test";
import { type History, writeHistory } from "./page/write-history.ts";
import { openBrowser } from "./transfer/person.ts";
import { startApp } from "./transfer/start-app.ts";

const messages = Math.min(Number(process.argv[2] ?? 200_000), 1_000_000);
const people = Math.min(Number(process.argv[3] ?? 20), 100);
const each = Math.floor(messages / people);
const rounds = 3;

/** What is searched for, from what the latest messages contain to what only one of the earliest in each conversation does. */
const queries = {
  common: "some words",
  late: `message ${each - 100}.`,
  early: "message 12.",
} as const;

interface Times {
  readonly firstMs: number;
  readonly completeMs: number;
}

const [app, person] = await Promise.all([startApp(), openBrowser()]);
try {
  const { page } = person;
  await page.goto(app.url);
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.evaluate<void, History>(writeHistory, {
    people: Array.from({ length: people }, (_, index) => ({
      clientId: `00000000-0000-4000-8000-${String(index + 1).padStart(12, "0")}`,
      name: `Person ${index + 1}`,
    })),
    messageCount: each,
    kind: "texts",
  });
  const measured: Record<string, { cold: Times; warm: Times }> = {};
  for (const [name, query] of Object.entries(queries)) {
    const cold: Times[] = [];
    const warm: Times[] = [];
    for (let round = 0; round < rounds; round++) {
      await page.goto(`${app.url}client/00000000-0000-4000-8000-000000000001/chat`);
      await page.getByRole("log").getByRole("article").first().waitFor();
      await page.waitForTimeout(1_500);
      cold.push(await timeSearch(page, query));
      await page.getByRole("searchbox", { name: "Search people and messages" }).fill("");
      warm.push(await timeSearch(page, query));
    }
    measured[name] = { cold: medians(cold), warm: medians(warm) };
  }
  const results = {
    machine: {
      cpu: cpus()[0]?.model ?? "unknown",
      cores: cpus().length,
      measuredAt: new Date().toISOString(),
    },
    messages: each * people,
    people,
    ...measured,
  };
  const folder = fileURLToPath(new URL("results/", import.meta.url));
  await mkdir(folder, { recursive: true });
  await writeFile(`${folder}search.json`, `${JSON.stringify(results, null, 2)}\n`);
  console.log(JSON.stringify(results, null, 2));
} finally {
  await Promise.allSettled([person.close(), app.stop()]);
}

async function timeSearch(page: Page, query: string): Promise<Times> {
  const field = page.getByRole("searchbox", { name: "Search people and messages" });
  await field.focus();
  const before = await page.evaluate(() => performance.now());
  await field.fill(query);
  const firstAt = await when(page, "mark");
  const completeAt = await when(page, "end");
  return { firstMs: firstAt - before, completeMs: completeAt - before };
}

/** Resolves with the time, by the page's clock, at which a result is visible, or the search has ended. */
async function when(page: Page, what: "mark" | "end"): Promise<number> {
  const seen = await page.waitForFunction(
    (event) => {
      const status = [...document.querySelectorAll('[role="status"]')].map(({ textContent }) => textContent);
      const isThere =
        event === "mark"
          ? document.querySelector("mark") !== null
          : !status.some((text) => text?.startsWith("Searching"));
      return isThere && performance.now();
    },
    what,
    { polling: "raf", timeout: 120_000 },
  );
  return Number(await seen.jsonValue());
}

function medians(times: readonly Times[]): Times {
  return { firstMs: median(times, "firstMs"), completeMs: median(times, "completeMs") };
}

function median(times: readonly Times[], key: keyof Times): number {
  const values = times.map((time) => time[key]).sort((a, b) => a - b);
  return Math.round(values[values.length >> 1] ?? 0);
}
