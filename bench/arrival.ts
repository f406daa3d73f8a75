/**
 * Measures how long a page is busy at a stretch while a text arrives in a long conversation, as one of many people in the list:
 * the longest task of its main thread, from the press that sends the text until the page has drawn and announced it.
 * `tsx bench/arrival.ts [messages] [people]`; what was said before is written into the browser's database beforehand.
 */
import { mkdir, writeFile } from "node:fs/promises";
import { cpus } from "node:os";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { CDPSession } from "@playwright/test";
import { median } from "./median.ts";
import { type History, writeHistory } from "./page/write-history.ts";
import { openBrowser } from "./transfer/person.ts";
import { enterRoom, openConversation } from "./transfer/run-app.ts";
import { startApp } from "./transfer/start-app.ts";

const messageCount = Math.min(Number(process.argv[2] ?? 50_000), 200_000);
const peopleCount = Math.min(Number(process.argv[3] ?? 60), 200);
const texts = 15;
/** Longer than the second after which a text is announced. */
const settledMs = 1_500;

interface TraceEvent {
  readonly name: string;
  readonly tid: number;
  readonly pid: number;
  /** In µs. */
  readonly dur?: number;
  readonly args?: { readonly name?: string };
}

const [app, sender, receiver] = await Promise.all([startApp(), openBrowser(), openBrowser()]);
try {
  await enterRoom(sender, app.url, "Mara", "arrival");
  await enterRoom(receiver, app.url, "Jun", "arrival");
  await openConversation(sender, "Jun");
  await openConversation(receiver, "Mara");
  const mara = await sender.page.evaluate(() => JSON.parse(localStorage.getItem("profile") ?? "{}").clientId);
  const others = Array.from({ length: peopleCount - 1 }, (_, index) => ({
    clientId: `00000000-0000-4000-8000-${String(index + 1).padStart(12, "0")}`,
    name: `Person ${index + 1}`,
  }));
  for (const history of [
    { people: [{ clientId: mara, name: "Mara" }], messageCount, kind: "texts" },
    { people: others, messageCount: 1, kind: "texts" },
  ] as const satisfies readonly History[])
    await receiver.page.evaluate<void, History>(writeHistory, history);
  await receiver.page.reload();
  await openConversation(receiver, "Mara");
  const devtools = await receiver.page.context().newCDPSession(receiver.page);
  const composer = sender.page.getByRole("textbox", { name: /^Message/ });
  const longestMs: number[] = [];
  for (let sent = 0; sent < texts; sent++) {
    const text = `Arrival ${sent}.`;
    await composer.fill(text);
    const stop = await recordTasks(devtools);
    await composer.press("Control+Enter");
    await receiver.page.getByRole("log").getByText(text).waitFor();
    await setTimeout(settledMs);
    longestMs.push(Math.max(...(await stop())));
  }
  // The first ones run code that is not compiled yet.
  const warm = longestMs.slice(5);
  const results = {
    machine: {
      cpu: cpus()[0]?.model ?? "unknown",
      cores: cpus().length,
      measuredAt: new Date().toISOString(),
    },
    messages: messageCount,
    people: peopleCount,
    /** The longest task while a text arrives: of the first text, and of the last ten. */
    firstMs: longestMs[0],
    medianMs: median(warm),
    maxMs: Math.max(...warm),
  };
  const folder = fileURLToPath(new URL("results/", import.meta.url));
  await mkdir(folder, { recursive: true });
  await writeFile(`${folder}arrival.json`, `${JSON.stringify(results, null, 2)}\n`);
  console.log(JSON.stringify(results, null, 2));
} finally {
  await Promise.allSettled([sender.close(), receiver.close(), app.stop()]);
}

/** @returns a function that ends the record, and resolves with the time that each task of the page's main thread took, in ms. */
async function recordTasks(devtools: CDPSession): Promise<() => Promise<readonly number[]>> {
  const events: TraceEvent[] = [];
  const collect = ({ value }: { readonly value: readonly unknown[] }) =>
    events.push(...(value as TraceEvent[]));
  devtools.on("Tracing.dataCollected", collect);
  await devtools.send("Tracing.start", {
    traceConfig: { includedCategories: ["toplevel", "disabled-by-default-devtools.timeline"] },
  });
  return async () => {
    const ended = new Promise<void>((resolve) => devtools.once("Tracing.tracingComplete", () => resolve()));
    await devtools.send("Tracing.end");
    await ended;
    devtools.off("Tracing.dataCollected", collect);
    const isMain = ({ name, args }: TraceEvent) => name === "thread_name" && args?.name === "CrRendererMain";
    const mains = new Set(events.filter(isMain).map(({ pid, tid }) => `${pid}/${tid}`));
    return events
      .filter(({ name, pid, tid }) => /RunTask$/.test(name) && mains.has(`${pid}/${tid}`))
      .map(({ dur = 0 }) => dur / 1000);
  };
}
