/**
 * Floods the page of a person in an open room from another page, bypassing its own code, and measures the
 * effect: `tsx bench/flood.ts [path of main.js] [seconds of each flood]`, after `npm run build`. The main.js
 * of another version can be measured with the same attacks.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { CDPSession, Page } from "@playwright/test";
import { armHostilePeer, clientIdOf } from "../e2e/support/hostile-peer.ts";
import { Stranger } from "../e2e/support/stranger.ts";
import { openBrowser, type Person } from "./transfer/person.ts";

const main = process.argv[2] ?? fileURLToPath(new URL("../apps/server/dist/main.js", import.meta.url));
const seconds = Number(process.argv[3] ?? 15);
/** A page that is unresponsive for longer counts as dead. */
const patienceMs = 45_000;

/** The messages of each flood, and how many are sent per second. */
const floods = {
  nothing: 0,
  "random texts of 200 KiB": 48,
  "binary frames of 256 KiB": 32,
  "changes of the profile": 45,
  "offers with a manifest of 86 KB": 45,
  "heads of 200 invented authors": 20,
  "requests for entries without end": 45,
  "signed texts to everyone": 45,
} as const;
type Flood = keyof typeof floods;

const mib = 1024 ** 2;

for (const flood of Object.keys(floods) as Flood[])
  console.log(
    JSON.stringify({ flood, ...(await measure(flood).catch((error) => ({ error: String(error) }))) }),
  );
process.exit();

async function measure(flood: Flood): Promise<object> {
  const server = spawn(process.execPath, [main], {
    env: { ...process.env, HOST: "127.0.0.1", PORT: "0", LOG_LEVEL: "error", MAX_LAG_MS: "60000" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [victim, attacker] = await Promise.all([openBrowser(), openBrowser()]);
  try {
    let output = "";
    while (!output.includes("\n")) output += String((await once(server.stdout, "data"))[0]);
    const url = `http://127.0.0.1:${/http:\/\/localhost:(\d+)/.exec(output)?.[1]}/`;
    // The helper that tsx wraps named functions in.
    for (const { context } of [victim, attacker])
      await context.addInitScript("globalThis.__name = (named) => named");
    await armHostilePeer(attacker.context);
    await join(victim, url, "Ada");
    await join(attacker, url, "Mallory");
    const target = await clientIdOf(victim.page);
    await victim.page
      .getByRole("link", { name: /Mallory/ })
      .first()
      .click();
    await victim.page.getByRole("textbox", { name: "Message" }).focus();
    const devtools = await victim.context.newCDPSession(victim.page);
    await watchFrames(victim.page);
    const endTrace = await traceTasks(devtools);
    const attack =
      flood === "signed texts to everyone"
        ? floodLog(url, floods[flood])
        : attacker.page.evaluate(sendFlood, { flood, target, perSecond: floods[flood], seconds });
    const typed = type(devtools, seconds * 1_000);
    let memoryMib = 0;
    for (const endsAt = Date.now() + seconds * 1_000; Date.now() < endsAt; await sleep(500))
      memoryMib = Math.max(memoryMib, ...(await victim.processes.memoryMiB()).values());
    const sent = await patiently(attack, "attacker gone");
    await typed;
    const page = await patiently(victim.page.evaluate(readFrames), null);
    const tasks = await patiently(endTrace(), []);
    const heap = await patiently(devtools.send("Runtime.getHeapUsage"), null);
    const stored = await patiently(
      victim.page.evaluate(async () => (await navigator.storage.estimate()).usage),
      null,
    );
    const reloadStartedAt = Date.now();
    const isBack = await victim.page
      .reload({ timeout: patienceMs })
      .then(() =>
        victim.page
          .getByRole("link", { name: /Mallory/ })
          .first()
          .waitFor({ timeout: patienceMs }),
      )
      .then(() => true)
      .catch(() => false);
    return {
      sent,
      storedMib: stored === null ? null : Math.round((stored ?? 0) / mib),
      heapMib: heap === null ? null : Math.round(heap.usedSize / mib),
      rendererMib: Math.round(memoryMib),
      ...(page ?? { page: "does not answer" }),
      longestTasksCpuMs: tasks.sort((one, other) => other - one).slice(0, 5),
      reloadMs: isBack ? Date.now() - reloadStartedAt : null,
    };
  } finally {
    await Promise.race([Promise.allSettled([victim.close(), attacker.close()]), sleep(10_000)]);
    server.kill("SIGKILL");
  }
}

async function join({ page }: Person, url: string, name: string): Promise<void> {
  await page.addInitScript(() => {
    if (location.origin !== "null") localStorage.setItem("app_initialized", "true");
  });
  await page.goto(`${url}?id=flood`);
  await page.getByRole("textbox", { name: "Your name" }).fill(name);
  await page.getByRole("button", { name: "Join room" }).click();
  await page
    .getByRole("link", { name: name === "Ada" ? /Everyone/ : /Ada/ })
    .first()
    .waitFor();
}

/**
 * In a person's page: records the duration of each frame, and the time from each key to the frame that shows
 * it.
 */
async function watchFrames(page: Page): Promise<void> {
  await page.evaluate(() => {
    const frames: number[] = [];
    const keys: number[] = [];
    const tasks: number[] = [];
    Object.assign(globalThis, { measured: { frames, keys, tasks } });
    const noteTasks = (list: PerformanceObserverEntryList) =>
      tasks.push(...list.getEntries().map(({ duration }) => duration));
    new PerformanceObserver(noteTasks).observe({ entryTypes: ["longtask"] });
    let last = performance.now();
    const onFrame = (): void => {
      const now = performance.now();
      frames.push(now - last);
      last = now;
      requestAnimationFrame(onFrame);
    };
    requestAnimationFrame(onFrame);
    const onKey = ({ timeStamp }: Event) =>
      requestAnimationFrame(() => void keys.push(performance.now() - timeStamp));
    addEventListener("keydown", onKey, { capture: true });
  });
}

function readFrames(): object {
  const { frames, keys, tasks } = Reflect.get(globalThis, "measured") as Record<
    "frames" | "keys" | "tasks",
    number[]
  >;
  const sorted = keys.sort((one, other) => one - other);
  return {
    keys: sorted.length,
    keyToFrameP95Ms: Math.round(sorted[Math.floor(0.95 * sorted.length)] ?? Number.NaN),
    longestFrameMs: Math.round(Math.max(...frames)),
    /** Browsers report none of less than 50 ms. */
    tasksOver50Ms: tasks.map(Math.round),
    /** In frames of more than 200 ms. */
    stuckMs: Math.round(frames.filter((ms) => ms > 200).reduce((sum, ms) => sum + ms, 0)),
  };
}

/** A task of a renderer's main thread, or the name of a thread, in a trace of Chromium. */
interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** The time that its thread was running, in µs. */
  readonly tdur?: number;
  readonly args: { readonly name?: string };
}

/**
 * Records how long the tasks of the busiest main thread run: other than what a page can measure itself, without the time
 * that others on the machine have the processor. @returns what ends that, in ms
 */
async function traceTasks(devtools: CDPSession): Promise<() => Promise<number[]>> {
  const events: TraceEvent[] = [];
  devtools.on(
    "Tracing.dataCollected",
    ({ value }) => void events.push(...(value as unknown as TraceEvent[])),
  );
  const includedCategories = ["disabled-by-default-devtools.timeline", "__metadata"];
  await devtools.send("Tracing.start", { traceConfig: { includedCategories } });
  return async () => {
    const complete = new Promise((resolve) => devtools.once("Tracing.tracingComplete", resolve));
    await devtools.send("Tracing.end");
    await complete;
    const mains = events.filter(({ name, args }) => name === "thread_name" && args.name === "CrRendererMain");
    const tasksOf = mains.map(({ pid, tid }) =>
      events
        .filter((event) => event.name === "RunTask" && event.pid === pid && event.tid === tid)
        .map(({ tdur = 0 }) => Math.round(tdur / 1_000)),
    );
    const sum = (tasks: readonly number[]) => tasks.reduce((all, task) => all + task, 0);
    return tasksOf.sort((one, other) => sum(other) - sum(one))[0] ?? [];
  };
}

/** Presses a key ten times a second, whether or not the page keeps up. */
async function type(devtools: CDPSession, forMs: number): Promise<void> {
  for (const endsAt = Date.now() + forMs; Date.now() < endsAt; await sleep(100)) {
    const key = { key: "a", code: "KeyA", windowsVirtualKeyCode: 65 } as const;
    devtools.send("Input.dispatchKeyEvent", { ...key, type: "keyDown", text: "a" }).catch(() => {});
    devtools.send("Input.dispatchKeyEvent", { ...key, type: "keyUp" }).catch(() => {});
  }
}

function patiently<T, U>(promise: Promise<T>, otherwise: U): Promise<T | U> {
  return Promise.race([promise.catch(() => otherwise), sleep(patienceMs).then(() => otherwise)]);
}

/** Floods the log of the room with entries that are in order. @returns how many were sent */
async function floodLog(url: string, perSecond: number): Promise<number> {
  const stranger = await Stranger.join({ origin: new URL(url).origin, room: "flood", name: "Eve" });
  await Promise.all([stranger.meet(), stranger.meet()]);
  let sent = 0;
  for (const startedAt = Date.now(); Date.now() < startedAt + seconds * 1_000; await sleep(5))
    for (; sent < ((Date.now() - startedAt) / 1_000) * perSecond; sent++)
      stranger.sayToEveryone(`the text of number ${sent}`);
  stranger.leave();
  return sent;
}

interface Attack {
  readonly flood: Flood;
  readonly target: string;
  readonly perSecond: number;
  readonly seconds: number;
}

/**
 * In the attacker's page.
 * @returns what was sent until the time was up or the other side closed the channel.
 */
async function sendFlood({ flood, target, perSecond, seconds }: Attack): Promise<number> {
  const channels = Reflect.get(globalThis, "hostileChannels") as Map<string, RTCDataChannel>;
  const client: string = JSON.parse(localStorage.getItem("profile") ?? "{}").clientId;
  const random = (length: number): string => {
    const bytes = new Uint8Array(length);
    for (let at = 0; at < length; at += 65_536) crypto.getRandomValues(bytes.subarray(at, at + 65_536));
    return Array.from(bytes, (byte) => String.fromCharCode(33 + (byte % 90)))
      .join("")
      .replaceAll(/["\\]/g, "x");
  };
  const words = Array.from({ length: 8 }, () => random(200 * 1_000));
  const list = Array.from({ length: 1_600 }, (_, i) => [`folder/file number ${i}.bin`, 1, 0, "text/plain"]);
  const manifest = JSON.stringify(list);
  const digestBytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(manifest));
  const manifestDigest = [...new Uint8Array(digestBytes)]
    .map((b) => b.toString(16).padStart(2, "0"))
    .join("");
  const tree = {
    kind: "folder",
    files: list.length,
    folders: 1,
    manifestSize: manifest.length,
    manifestDigest,
  };
  const offer = {
    ...{ type: "send-file", fileName: "folder", fileSize: manifest.length + list.length, mimeType: "" },
    ...{ lastModified: 0, chunkSize: 524_288, tree, manifest },
  };
  /** Client ids are random: nobody checks that of an author before there is an entry. */
  const headOf = (n: number) => ({
    ...{ author: crypto.randomUUID(), from: 1, whole: 1, n: 1_000_000_000 + n, count: 1 },
    hash: "A".repeat(43),
  });
  const frame = (i: number): string | Uint8Array<ArrayBuffer> => {
    const messages: Record<string, object | null> = {
      "random texts of 200 KiB": { type: "send-text", data: `${i} ${words[i % 8]}` },
      "changes of the profile": { type: "profile", name: `Mallory ${i}`, avatar: null },
      "offers with a manifest of 86 KB": { ...offer, fid: `flood-${i}` },
      "heads of 200 invented authors": {
        ...{ type: "heads", heads: Array.from({ length: 200 }, (_, n) => headOf(i + n)), members: [] },
      },
      "requests for entries without end": {
        ...{ type: "request-entries", author: target, from: 1, until: 1_999_999_999 },
      },
    };
    const message = messages[flood];
    if (!message) return new Uint8Array(256 * 1_024);
    return JSON.stringify({ id: crypto.randomUUID(), client, target, createdAt: Date.now(), ...message });
  };
  const startedAt = performance.now();
  let sent = 0;
  while (performance.now() - startedAt < seconds * 1_000) {
    const channel = channels.get(target);
    const isDue = sent < ((performance.now() - startedAt) / 1_000) * perSecond;
    if (!isDue || channel?.readyState !== "open" || channel.bufferedAmount > 8_000_000) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      continue;
    }
    const next = frame(sent);
    if (typeof next === "string") channel.send(next);
    else channel.send(next);
    sent++;
  }
  return sent;
}
