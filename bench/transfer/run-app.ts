import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { basename } from "node:path";
import { pipeline } from "node:stream/promises";
import type { MadeFile } from "./make-file.ts";
import { installMeters, type Meters, meterFrames, meterMemory, meterSilence } from "./meters.ts";
import { cpuOf, type Person } from "./person.ts";

declare const meters: Meters;

/** The result of a metered transfer through the app. */
export interface AppResult {
  readonly mbps: number;
  readonly silentFraction: number;
  readonly longestFrameGapMs: number;
  /** The largest growth of a process of either browser. */
  readonly growthMiB: number;
  readonly megabytesPerCpuSecond: number;
}

/** Enters a room through the UI, and waits there for the other person. */
export async function enterRoom({ page }: Person, url: string, name: string, room: string): Promise<void> {
  await page.addInitScript(() => {
    // Received files stay in the browser until the benchmark saves them, and go to the downloads then.
    Reflect.deleteProperty(window, "showSaveFilePicker");
    const options = JSON.parse(localStorage.getItem("app_options") ?? "{}");
    localStorage.setItem("app_options", JSON.stringify({ ...options, keepReceived: true }));
  });
  await page.goto(url);
  await page.getByRole("textbox", { name: "Your name" }).fill(name);
  // The second is its name in older builds.
  await page.getByRole("combobox", { name: /^(Have a link or code\?|Link, code or room ID)$/ }).fill(room);
  await page.getByRole("button", { name: "Join", exact: true }).click();
}

/** Opens the conversation with a person once they are present. */
export async function openConversation(person: Person, other: string): Promise<void> {
  const { page } = person;
  const name = new RegExp(`${other}.* online`);
  const row = page.getByRole("navigation", { name: "People" }).getByRole("link", { name });
  // The list of older builds has options instead.
  const rowBefore = page.getByRole("listbox", { name: "People" }).getByRole("option", { name });
  await row.or(rowBefore).click({ timeout: 60_000 });
  await page.getByRole("heading", { level: 1, name: other }).waitFor();
  await installMeters(person);
}

/** Sends a file like {@link timeApp}, with meters that take some of the time themselves. */
export async function runApp(sender: Person, receiver: Person, file: MadeFile): Promise<AppResult> {
  const people = [sender, receiver];
  await showPages(sender, receiver);
  const silence = await meterSilence(receiver);
  const frames = await Promise.all(people.map(meterFrames));
  const memory = await Promise.all(people.map(meterMemory));
  const { durationMs, cpuMs } = await send(sender, receiver, file);
  const result = {
    mbps: file.sizeBytes / 1e3 / durationMs,
    silentFraction: await silence(),
    longestFrameGapMs: Math.max(...(await Promise.all(frames.map((stop) => stop())))),
    growthMiB: Math.max(...(await Promise.all(memory.map((stop) => stop())))),
    megabytesPerCpuSecond: file.sizeBytes / 1e3 / cpuMs,
  };
  await compareSaved(receiver, file);
  return result;
}

/** What a file took from picking it until the receiver's card offered to save it. */
export interface SendTime {
  readonly durationMs: number;
  /** Of both browsers. */
  readonly cpuMs: number;
}

/** Sends a file from one open conversation to the other; the saved file must have the same SHA-256. */
export async function timeApp(sender: Person, receiver: Person, file: MadeFile): Promise<SendTime> {
  await showPages(sender, receiver);
  const time = await send(sender, receiver, file);
  await compareSaved(receiver, file);
  return time;
}

async function showPages(...people: readonly Person[]): Promise<void> {
  await Promise.all(people.map(({ page }) => page.bringToFront()));
}

async function send(sender: Person, receiver: Person, file: MadeFile): Promise<SendTime> {
  const name = basename(file.path);
  const done = receiver.page.evaluate((fileName) => meters.whenComplete(fileName), name);
  // Scripts cannot set files in the browser's own picker, only in an input.
  await sender.page.evaluate(() => Reflect.deleteProperty(window, "showOpenFilePicker"));
  await sender.page.getByRole("button", { name: /^Send files.* clipboard/ }).click();
  const choosing = sender.page.waitForEvent("filechooser");
  await sender.page.getByRole("menuitem", { name: "Files" }).click();
  const chooser = await choosing;
  const started = sender.page.evaluate(() => meters.whenSent());
  const cpuBeforeMs = await cpuOf([sender, receiver]);
  await chooser.setFiles(file.path);
  const durationMs = (await done) - (await started);
  return { durationMs, cpuMs: (await cpuOf([sender, receiver])) - cpuBeforeMs };
}

async function compareSaved({ page }: Person, file: MadeFile): Promise<void> {
  const name = basename(file.path);
  const saving = page.waitForEvent("download");
  await page.getByRole("button", { name: `Save: ${name}` }).click();
  const saved = await saving;
  const hash = createHash("sha256");
  await pipeline(createReadStream(await saved.path()), hash);
  if (hash.digest("hex") !== file.sha256) throw new Error(`${name} arrived with other bytes`);
  await saved.delete();
}
