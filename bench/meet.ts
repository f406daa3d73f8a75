/**
 * Measures how long two browsers take to meet: from opening a room's link to each showing the other as online.
 * `npm run bench:meet -- [--rounds=8] [--other=CHECKOUT or URL] [--page=URL] [--throttle=1] [--conversations=0]`; what is
 * measured and results: docs/benchmarks.md.
 */
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { cpus, loadavg } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import type { Page } from "@playwright/test";
import { median } from "./median.ts";
import { type History, writeHistory } from "./page/write-history.ts";
import { openBrowser, type Person } from "./transfer/person.ts";
import { openOther, startApp } from "./transfer/start-app.ts";

/** The functions that `page/watch-meeting.mjs` adds to pages. */
interface Meeting {
  start(isArriving: boolean): void;
  steps(): [step: string, atMs: number][];
}
declare const meeting: Meeting;

const { values: flags } = parseArgs({
  options: {
    rounds: { type: "string", default: "8" },
    other: { type: "string" },
    page: { type: "string" },
    throttle: { type: "string", default: "1" },
    conversations: { type: "string", default: "0" },
  },
});
const rounds = Number(flags.rounds);
const slowdown = Number(flags.throttle);
/** The visitor's history on warm visits: as many conversations, of 40 texts each. */
const history: History = {
  people: Array.from({ length: Number(flags.conversations) }, (_, index) => ({
    clientId: `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`,
    name: `Person ${index}`,
  })),
  messageCount: 40,
  kind: "texts",
};
const watcher = await readFile(new URL("page/watch-meeting.mjs", import.meta.url), "utf8");
const visits = ["cold", "warm"] as const;
const otherSuffix = " of the other build";

/** The steps of one meeting, in ms since the visitor's navigation began. The host was present before. */
type Steps = ReadonlyMap<string, number>;
interface Series {
  readonly title: string;
  readonly meetings: Steps[];
}

const series = new Map<string, Series>();
const current = await startApp();
const other = flags.other === undefined ? null : await openOther(flags.other);
try {
  for (let round = 0; round < rounds; round++) {
    const builds = [{ app: current, suffix: "" }, ...(other ? [{ app: other, suffix: otherSuffix }] : [])];
    // Who goes first alternates.
    if (round % 2 === 1) builds.reverse();
    const password = encodeURIComponent("correct horse");
    for (const { app, suffix } of builds)
      await measureRound(`open room${suffix}`, `${app.url}r/open-${round}#`, { namesMaker: true });
    for (const { app, suffix } of builds)
      await measureRound(`room with a password${suffix}`, `${app.url}r/locked-${round}#${password}`, {
        namesMaker: true,
      });
    if (flags.page !== undefined) await measureRound("other page", flags.page, { lastStep: "channel open" });
    console.log(
      [...series.values()].map(({ title, meetings }) => `${title} ${total(meetings.at(-1))} ms`).join("   "),
    );
  }
} finally {
  await Promise.all([current.stop(), other?.stop()]);
}
await report();

/**
 * A cold visit by a new browser, then a warm one by the same browser, both slowed down by `--throttle`; the host is present
 * throughout. With `namesMaker` the visitor's link names the host as its maker, as a copied link does.
 */
async function measureRound(
  title: string,
  address: string,
  { namesMaker = false, lastStep = "on screen" },
): Promise<void> {
  const [host, visitor] = await Promise.all([openBrowser(), openBrowser()]);
  try {
    for (const { context } of [host, visitor]) await context.addInitScript(watcher);
    await open(host.page, address, true);
    await idle(host.page);
    const link = namesMaker ? `${address}.${await makerId(host.page)}` : address;
    for (const visit of visits) {
      const page = await visitor.context.newPage();
      if (slowdown > 1) {
        const session = await visitor.context.newCDPSession(page);
        await session.send("Emulation.setCPUThrottlingRate", { rate: slowdown });
      }
      await host.page.bringToFront();
      await host.page.evaluate(() => meeting.start(false));
      await open(page, link, visit === "cold");
      await Promise.all([host.page, page].map((met) => whenStepped(met, lastStep)));
      const meetingSteps = await readSteps(host, page);
      const name = `${title}, ${visit}`;
      const known = series.get(name) ?? { title: name, meetings: [] };
      series.set(name, known);
      known.meetings.push(meetingSteps);
      await idle(page);
      if (visit === "cold" && namesMaker) await page.evaluate<void, History>(writeHistory, history);
      await leave(page, host.page);
    }
  } finally {
    await Promise.all([host.close(), visitor.close()]);
  }
}

/** A client's id as links contain it: packages/core/src/room/join-link.ts. */
async function makerId(page: Page): Promise<string> {
  const clientId: string = await page.evaluate(
    () => JSON.parse(localStorage.getItem("profile") ?? "{}").clientId,
  );
  return Buffer.from(clientId.replaceAll("-", ""), "hex").toString("base64url");
}

async function open(page: Page, address: string, isArriving: boolean): Promise<void> {
  await page.addInitScript((arriving) => meeting.start(arriving), isArriving);
  await page.goto(address, { waitUntil: "commit" });
}

/** Lets the page finish its work after rendering, such as caching its code for the next visit. */
async function idle(page: Page): Promise<void> {
  await page.waitForTimeout(2_000);
}

async function whenStepped(page: Page, step: string): Promise<void> {
  await page.waitForFunction((wanted) => meeting.steps().some(([name]) => name === wanted), step, {
    polling: 50,
    timeout: 60_000,
  });
}

async function readSteps(host: Person, visitor: Page): Promise<Steps> {
  const [there, here] = await Promise.all(
    [host.page, visitor].map((page) => page.evaluate(() => meeting.steps())),
  );
  const startMs = new Map(here).get("navigation") ?? 0;
  const ofHost = (there ?? []).filter(([, atMs]) => atMs >= startMs);
  return new Map([
    ...ofHost.map(([step, atMs]) => [`host: ${step}`, atMs - startMs] as const),
    ...(here ?? []).map(([step, atMs]) => [step, atMs - startMs] as const),
  ]);
}

/** Leaves the room through the UI if the page has one for that, so that the next visit is a separate one. */
async function leave(visitor: Page, host: Page): Promise<void> {
  const menu = visitor.getByRole("button", { name: "Room menu" });
  if (await menu.isVisible()) {
    await menu.click();
    await visitor.getByRole("menuitem", { name: "Leave room" }).click();
    await visitor.getByRole("dialog").getByRole("button", { name: "Leave" }).click();
    await host.locator("[data-id]").getByText("leave", { exact: true }).waitFor({ state: "attached" });
  }
  await visitor.close();
  await idle(host);
}

/**
 * The time until both have shown the other; until both channels were open if nothing is known of the screen.
 */
function total(steps: Steps | undefined): string {
  const step = steps?.has("on screen") ? "on screen" : "channel open";
  return Math.max(steps?.get(step) ?? Number.NaN, steps?.get(`host: ${step}`) ?? Number.NaN).toFixed(0);
}

/** The median of the totals of a series, and of the time of each step, in order. */
function summarize({ meetings }: Series) {
  const steps = [...new Set(meetings.flatMap((meeting) => [...meeting.keys()]))]
    .map((step) => ({ step, atMs: median(meetings.flatMap((meeting) => meeting.get(step) ?? [])) }))
    .sort((a, b) => a.atMs - b.atMs);
  return { medianMs: median(meetings.map((meeting) => Number(total(meeting)))), steps };
}

async function report(): Promise<void> {
  const summaries = new Map([...series.values()].map((one) => [one.title, summarize(one)]));
  for (const [title, { medianMs, steps }] of summaries) {
    console.log(`\n${title}: ${medianMs.toFixed(0)} ms, median of ${series.get(title)?.meetings.length}`);
    let beforeMs = 0;
    for (const { step, atMs } of steps) {
      console.log(
        `${atMs.toFixed(0).padStart(6)} ${`+${(atMs - beforeMs).toFixed(0)}`.padStart(5)}  ${step}`,
      );
      beforeMs = atMs;
    }
  }
  const ratios = Object.fromEntries(
    [...summaries].flatMap(([title, { medianMs }]) => {
      const [kind, visit] = title.split(", ");
      const before = summaries.get(`${kind}${otherSuffix}, ${visit}`);
      return before === undefined ? [] : [[title, medianMs / before.medianMs] as const];
    }),
  );
  for (const [title, ratio] of Object.entries(ratios))
    console.log(`\n${title}: ${ratio.toFixed(2)} of the other build`);
  const results = {
    machine: {
      cpu: cpus()[0]?.model ?? "unknown",
      cores: cpus().length,
      loadAtEnd: loadavg().map((load) => Number(load.toFixed(1))),
      measuredAt: new Date().toISOString(),
    },
    rounds,
    ...{ other: flags.other, slowdown, ratios },
    meetings: Object.fromEntries(summaries),
  };
  const folder = fileURLToPath(new URL("results/", import.meta.url));
  await mkdir(folder, { recursive: true });
  await writeFile(`${folder}meet.json`, `${JSON.stringify(results, null, 2)}\n`);
}
