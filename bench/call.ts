/**
 * Measures a call on one machine: the age of a shared screen when the viewer renders it, the sender's CPU
 * time by number of viewers, and the effect of a file transfer on a call's audio.
 * `npm run bench:call -- [--seconds=15] [--only=sound] [--viewers=1,3,5]`; results: docs/benchmarks.md.
 * `--only=glass,processor,sound` selects the parts to measure, and `--viewers` the numbers of viewers; the
 * result is then printed but not stored.
 */
import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { type Browser, type BrowserContext, chromium, type Page } from "@playwright/test";
import { launchOptions } from "../e2e/support/browser.ts";
import { attach, fileCard, keepHere, writeRandomFile } from "../e2e/support/files.ts";
import { findProcess, ProcessTree } from "./transfer/process-tree.ts";
import { startApp } from "./transfer/start-app.ts";

const { values: flags } = parseArgs({
  options: {
    seconds: { type: "string", default: "15" },
    only: { type: "string" },
    viewers: { type: "string" },
  },
});
const measureMs = Number(flags.seconds) * 1_000;
const viewers = (flags.viewers ?? "1,3,5").split(",").map(Number);
if (!viewers.every((count) => Number.isInteger(count) && count > 0))
  throw new Error("--viewers takes whole numbers from 1");
const parts = {
  glass: measureLatency,
  processor: () => measureProcessor(viewers),
  sound: measureSound,
};
const only = flags.only?.split(",") ?? Object.keys(parts);
const fileMib = 64;

const app = await startApp();
try {
  const measured: Record<string, unknown> = {};
  for (const [name, measure] of Object.entries(parts))
    if (only.includes(name)) measured[name] = await measure();
  const result = {
    machine: { cpu: cpus()[0]?.model, count: cpus().length },
    ...measured,
    load: loadavg().map((load) => Number(load.toFixed(1))),
  };
  console.log(JSON.stringify(result, null, 2));
  if (flags.only === undefined && flags.viewers === undefined) {
    const folder = fileURLToPath(new URL("results", import.meta.url));
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, "call.json"), JSON.stringify(result, null, 2));
  }
} finally {
  await app.stop();
}

/** The age of each rendered frame, in ms: the sender encodes the time into its pixels. */
async function measureLatency() {
  const [sharing, watching] = await Promise.all([openBrowser(), openBrowser()]);
  try {
    const ada = await enter(sharing.browser, "Ada", "latency");
    const bo = await enter(watching.browser, "Bo", "latency");
    await share(ada);
    await watch(bo, 1);
    await sleep(5_000); // until the encoder has estimated the bandwidth
    const ages = await bo.evaluate(
      (forMs) =>
        new Promise<number[]>((resolve) => {
          const video = document.querySelector("video");
          const canvas = document.createElement("canvas");
          const pen = canvas.getContext("2d", { willReadFrequently: true });
          const found: number[] = [];
          const end = performance.now() + forMs;
          const read = (): void => {
            if (video === null || pen === null) {
              resolve(found);
              return;
            }
            canvas.width = video.videoWidth;
            canvas.height = 8;
            const side = video.videoWidth / 32;
            pen.drawImage(video, 0, 0, video.videoWidth, 8, 0, 0, video.videoWidth, 8);
            let stamp = 0;
            for (let bit = 0; bit < 32; bit++) {
              const [red = 0] = pen.getImageData(Math.round((bit + 0.5) * side), 4, 1, 1).data;
              stamp = stamp * 2 + (red > 127 ? 1 : 0);
            }
            const age = (Date.now() % 2 ** 32) - stamp;
            if (age >= 0 && age < 10_000) found.push(age);
            if (performance.now() < end) video.requestVideoFrameCallback(read);
            else resolve(found);
          };
          if (video === null) resolve(found);
          else video.requestVideoFrameCallback(read);
        }),
      measureMs,
    );
    ages.sort((a, b) => a - b);
    const at = (part: number) => ages[Math.floor(part * ages.length)] ?? null;
    return { frames: ages.length, p50: at(0.5), p95: at(0.95) };
  } finally {
    await Promise.all([sharing.browser.close(), watching.browser.close()]);
  }
}

/** The CPU seconds per minute of the sender's browser, while all, one and none of the others watch. */
async function measureProcessor(counts: readonly number[]) {
  const rows = [];
  for (const count of counts) {
    const [sharing, watching] = await Promise.all([openBrowser(), openBrowser()]);
    try {
      const room = `processor-${count}`;
      const ada = await enter(sharing.browser, "Ada", room);
      const viewers: Page[] = [];
      for (let n = 0; n < count; n++) viewers.push(await enter(watching.browser, `Viewer ${n + 1}`, room));
      await share(ada);
      const cost = async () => {
        await sleep(4_000); // until the requested sizes are applied
        const before = await sharing.processes.cpuMs();
        await sleep(measureMs);
        return Math.round(((await sharing.processes.cpuMs()) - before) * (60 / measureMs));
      };
      const none = await cost();
      const [first, ...others] = viewers;
      if (first !== undefined) await watch(first, 1);
      const one = await cost();
      for (const viewer of others) await watch(viewer, 1);
      rows.push({ viewers: count, none, one, all: count === 1 ? one : await cost() });
    } finally {
      await Promise.all([sharing.browser.close(), watching.browser.close()]);
    }
  }
  return rows;
}

/** The loss and delay of a voice, without a file and while one is sent over the same connection. */
async function measureSound() {
  const [sharing, watching] = await Promise.all([openBrowser(), openBrowser()]);
  try {
    const ada = await enter(sharing.browser, "Ada", "sound");
    const bo = await enter(watching.browser, "Bo", "sound");
    await openStage(ada);
    await ada.getByRole("button", { name: "Mic", exact: true }).click();
    await bo.getByRole("button", { name: "Listen", exact: true }).first().click();
    await sleep(5_000);
    const alone = await soundOver(bo, () => sleep(measureMs));
    const path = join(await mkdtemp(join(tmpdir(), "warren-bench-call-")), "beside.bin");
    await writeRandomFile(path, fileMib);
    await ada.getByRole("link", { name: "Chat" }).click();
    await openChat(ada, "Bo");
    await openChat(bo, "Ada");
    await attach(ada, path);
    let fileMs = 0;
    const beside = await soundOver(bo, async () => {
      const began = performance.now();
      await keepHere(fileCard(bo, "beside.bin"));
      await fileCard(bo, "beside.bin").getByText("Received").waitFor({ timeout: 300_000 });
      fileMs = Math.round(performance.now() - began);
    });
    return { alone, beside, fileMib, fileMs };
  } finally {
    await Promise.all([sharing.browser.close(), watching.browser.close()]);
  }
}

interface SoundCount {
  readonly received: number;
  readonly lost: number;
  readonly delay: number;
  readonly emitted: number;
  readonly concealed: number;
  readonly samples: number;
}

async function soundOver(page: Page, pass: () => Promise<unknown>) {
  const before = await countSound(page);
  await pass();
  const after = await countSound(page);
  const lost = after.lost - before.lost;
  const waited = (after.delay - before.delay) / Math.max(1, after.emitted - before.emitted);
  return {
    lossPercent: round((100 * lost) / Math.max(1, after.received - before.received + lost)),
    jitterBufferMs: round(waited * 1_000),
    concealedPercent: round(
      (100 * (after.concealed - before.concealed)) / Math.max(1, after.samples - before.samples),
    ),
  };
}

function countSound(page: Page): Promise<SoundCount> {
  return page.evaluate(async () => {
    const sum = { received: 0, lost: 0, delay: 0, emitted: 0, concealed: 0, samples: 0 };
    for (const connection of Reflect.get(globalThis, "connections") as RTCPeerConnection[])
      for (const entry of (await connection.getStats()).values()) {
        if (entry.type !== "inbound-rtp" || entry.kind !== "audio") continue;
        sum.received += entry.packetsReceived;
        sum.lost += entry.packetsLost;
        sum.delay += entry.jitterBufferDelay;
        sum.emitted += entry.jitterBufferEmittedCount;
        sum.concealed += entry.concealedSamples;
        sum.samples += entry.totalSamplesReceived;
      }
    return sum;
  });
}

async function openBrowser(): Promise<{ readonly browser: Browser; readonly processes: ProcessTree }> {
  const mark = `--warren-call=${crypto.randomUUID()}`;
  const args = [...(launchOptions.args ?? []), mark, "--autoplay-policy=no-user-gesture-required"];
  const browser = await chromium.launch({ ...launchOptions, args });
  return { browser, processes: new ProcessTree(await findProcess(mark)) };
}

/**
 * Opens the app as a newcomer in a room; the page's screen is a canvas of 1080 lines with the time in its
 * pixels.
 */
async function enter(browser: Browser, name: string, room: string): Promise<Page> {
  const context: BrowserContext = await browser.newContext({
    permissions: ["camera", "microphone"],
    viewport: { width: 1920, height: 1200 },
    locale: "en-US",
  });
  // The helper that tsx wraps functions in is missing in a page.
  await context.addInitScript({ content: "globalThis.__name = (made) => made" });
  await context.addInitScript(() => {
    const connections: RTCPeerConnection[] = [];
    Object.assign(globalThis, { connections });
    const Native = RTCPeerConnection;
    globalThis.RTCPeerConnection = class extends Native {
      constructor(configuration?: RTCConfiguration) {
        super(configuration);
        connections.push(this);
      }
    };
    navigator.mediaDevices.getDisplayMedia = async () => {
      const canvas = document.createElement("canvas");
      canvas.width = 1920;
      canvas.height = 1080;
      const pen = canvas.getContext("2d");
      const draw = (): void => {
        if (pen === null) return;
        const stamp = Date.now() % 2 ** 32;
        pen.fillStyle = "#2e467a";
        pen.fillRect(0, 64, 1920, 1016);
        for (let bit = 0; bit < 32; bit++) {
          pen.fillStyle = Math.floor(stamp / 2 ** (31 - bit)) % 2 === 1 ? "#fff" : "#000";
          pen.fillRect(bit * 60, 0, 60, 64);
        }
      };
      setInterval(draw, 33);
      draw();
      return canvas.captureStream(30);
    };
  });
  const page = await context.newPage();
  await page.goto(`${app.url}?id=${room}&join=true`);
  await page.getByRole("textbox", { name: "Your name" }).fill(name);
  await page.getByRole("button", { name: "Join room" }).click();
  await page.getByRole("link", { name: "Call", exact: true }).waitFor();
  return page;
}

async function openStage(page: Page): Promise<void> {
  await page.getByRole("link", { name: "Call", exact: true }).click();
  await page.getByRole("toolbar", { name: "Call controls" }).waitFor();
}

async function share(page: Page): Promise<void> {
  await openStage(page);
  await page.getByRole("button", { name: "Share screen", exact: true }).click();
  await page.getByRole("menuitem", { name: "Share a screen", exact: true }).click();
}

async function watch(page: Page, screens: number): Promise<void> {
  await openStage(page);
  await page
    .locator("video")
    .nth(screens - 1)
    .waitFor();
}

async function openChat(page: Page, name: string): Promise<void> {
  await page.getByRole("link", { name: "Chat" }).click();
  await page
    .getByRole("navigation", { name: "People" })
    .getByRole("link")
    .filter({ has: page.getByText(name, { exact: true }) })
    .click();
}

function round(value: number): number {
  return Number(value.toFixed(2));
}
