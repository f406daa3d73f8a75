/**
 * Measures how long two browsers take to meet by QR code without a server, from the moment that the first code is shown, and how long
 * their workers take to read a picture of the camera: `npm run bench:qr -- [--rounds=5]`; results: docs/benchmarks.md.
 */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Page } from "@playwright/test";
import { MadeCamera } from "../e2e/support/made-camera.ts";
import { median } from "./median.ts";
import { startApp } from "./transfer/start-app.ts";

const { values: flags } = parseArgs({ options: { rounds: { type: "string", default: "5" } } });

/** One picture that a worker was given: how wide it was, how long the worker had it, and whether there was a code in it. */
type Reading = readonly [width: number, ms: number, found: boolean];
declare const readings: Reading[];
const watcher = await readFile(new URL("page/watch-readings.mjs", import.meta.url), "utf8");

interface Device {
  readonly name: string;
  readonly camera: MadeCamera;
  readonly page: Page;
}

async function openDevice(folder: string, name: string): Promise<Device> {
  const camera = await MadeCamera.launch(join(folder, name), { permissions: ["camera"], locale: "en-US" });
  const page = camera.context.pages()[0] ?? (await camera.context.newPage());
  await page.addInitScript({ content: watcher });
  await page.addInitScript((own) => {
    localStorage.setItem("profile", JSON.stringify({ name: own, roomId: "burrow", createdAt: 1 }));
  }, name);
  return { name, camera, page };
}

async function begin({ page }: Device, choice: "Show a code" | "Scan a code"): Promise<void> {
  await page.getByRole("button", { name: "No internet? Meet by QR code" }).click();
  const dialog = page.getByRole("dialog", { name: "Meet by QR code" });
  await dialog.getByRole("button", { name: choice }).click();
}

/** Resolves with the picture of a device's code once it is drawn, and when that was, by the clock of this process. */
async function shownCode({ page }: Device): Promise<{ readonly picture: string; readonly atMs: number }> {
  const code = page.getByRole("img", { name: "QR code of this device" });
  await code.waitFor();
  return code.evaluate(async (canvas: HTMLCanvasElement) => {
    const context = canvas.getContext("2d");
    while (
      !context
        ?.getImageData(0, 0, canvas.width, canvas.height)
        .data.some((byte, at) => at % 4 === 3 && byte > 0)
    )
      await new Promise(requestAnimationFrame);
    return { picture: canvas.toDataURL("image/png"), atMs: performance.timeOrigin + performance.now() };
  });
}

/** When a device shows the conversation with the other. */
async function metAt({ page }: Device, other: string): Promise<number> {
  await page.getByRole("region", { name: new RegExp(`^Conversation with ${other}`) }).waitFor();
  return Date.now();
}

const app = await startApp();
const folder = await mkdtemp(join(tmpdir(), "warren-bench-qr-"));
const meetings: number[] = [];
const readingsOfCodes: number[] = [];
const readingsOfNothing: number[] = [];
let width = 0;
try {
  for (let round = 0; round < Number(flags.rounds); round++) {
    const devices = await Promise.all(
      ["Ada", "Bo"].map((name) => openDevice(join(folder, String(round)), name)),
    );
    const [ada, bo] = devices as [Device, Device];
    for (const { page } of devices) await page.goto(app.url);
    await begin(bo, "Scan a code");
    await bo.page.getByLabel("Camera").waitFor();
    await bo.page.waitForTimeout(1_500);
    await begin(ada, "Show a code");
    const first = await shownCode(ada);
    await bo.camera.show(first.picture);
    const second = await shownCode(bo);
    await ada.camera.show(second.picture);
    const times = await Promise.all([metAt(ada, "Bo"), metAt(bo, "Ada")]);
    meetings.push(Math.max(...times) - first.atMs);
    for (const { page } of devices)
      for (const [pixels, ms, found] of await page.evaluate(() => readings)) {
        width = pixels;
        (found ? readingsOfCodes : readingsOfNothing).push(ms);
      }
    for (const { camera } of devices) await camera.context.close();
    console.log(`round ${round + 1}: met ${Math.round(meetings.at(-1) ?? 0)} ms after the first code`);
  }
} finally {
  await app.stop();
  await rm(folder, { recursive: true, force: true });
}
const figures = (values: readonly number[]) =>
  `median ${median(values).toFixed(1)} ms, longest ${Math.max(...values).toFixed(1)} of ${values.length}`;
console.log(`\n${cpus().length} × ${cpus()[0]?.model}, load ${loadavg()[0]?.toFixed(1)}`);
console.log(`from the first code to both on each other's screen: ${figures(meetings)}`);
console.log(`reading a picture ${width} wide with a code: ${figures(readingsOfCodes)}`);
console.log(`reading a picture ${width} wide without one: ${figures(readingsOfNothing)}`);
