import { readdir, readFile } from "node:fs/promises";
import { type BrowserContext, chromium, type Page, type Worker } from "@playwright/test";
import { shellOptions } from "./browser.ts";
import { expect } from "./fixtures.ts";
import { expectOnline, startRoom } from "./room.ts";
import { slowDown } from "./slowness.ts";

/** The most bytes that a kill may cost: data in flight and data not flushed to disk. */
export const lostLimitBytes = 6 * 1024 * 1024;

/** A person whose browser has a profile on disk, so that it can be killed and restarted. */
export interface Survivor {
  readonly context: BrowserContext;
  readonly page: Page;
}

/** The name of a survivor, and of the person to meet. */
export interface SurvivorSettings {
  readonly name: string;
  readonly other: string;
  readonly room: string;
  readonly profile: string;
  readonly url: string;
}

/** Starts a survivor's browser and joins the room, which it remembers after the first time. */
export async function openSurvivor(
  { name, other, room, profile, url }: SurvivorSettings,
  {
    isNew = false,
    args = [],
    prepare,
    beforeJoining,
  }: {
    isNew?: boolean;
    /** Further arguments of the browser. */
    args?: readonly string[];
    prepare?: (context: BrowserContext) => Promise<void>;
    beforeJoining?: (page: Page) => Promise<void>;
  } = {},
): Promise<Survivor> {
  const context = await chromium.launchPersistentContext(profile, {
    ...shellOptions,
    args: [...(shellOptions.args ?? []), ...args],
    baseURL: url,
    locale: "en-US",
  });
  await slowDown(context);
  await prepare?.(context);
  const page = context.pages()[0] ?? (await context.newPage());
  if (isNew) await startRoom({ name, context, page, requests: [] }, { room });
  else {
    await page.goto("/");
    await beforeJoining?.(page);
    await page.getByRole("button", { name: "Join room" }).click();
  }
  await expectOnline(page, other);
  return { context, page };
}

/** The counters in the sender's worker. */
export interface Counting {
  sentBytes: number;
  whenSent(targetBytes: number): Promise<void>;
}
declare const counting: Counting;

/** The bytes of blocks that the sender has sent since counting began. */
export function sentBytesOf(worker: Worker): Promise<number> {
  return worker.evaluate(() => counting.sentBytes);
}

/** Resolves once `targetBytes` were sent. */
export function whenSent(worker: Worker, targetBytes: number): Promise<void> {
  return worker.evaluate((target) => counting.whenSent(target), targetBytes);
}

/** The worker of a page that transfers files. */
export async function transferWorker(page: Page): Promise<Worker> {
  const isTransferWorker = (worker: Worker) => worker.url().includes("transfer-worker");
  return page.workers().find(isTransferWorker) ?? page.waitForEvent("worker", isTransferWorker);
}

/** Holds all blocks of a sender back, so that a transfer starts without progress. */
export async function holdBlocks(worker: Worker): Promise<void> {
  await worker.evaluate(() => {
    const channel = RTCDataChannel.prototype;
    const send: (this: RTCDataChannel, data: never) => void = channel.send;
    channel.send = function (this: RTCDataChannel, data: unknown) {
      if (!(data instanceof Uint8Array)) send.call(this, data as never);
    };
  });
}

/** Counts the bytes of blocks passed to `send`, including queued ones. */
export async function countSending(worker: Worker): Promise<void> {
  await worker.evaluate(() => {
    const waiting = new Set<{ readonly target: number; readonly resolve: () => void }>();
    const own: Counting = {
      sentBytes: 0,
      whenSent: async (target) => {
        // Send nothing more: the transfer could finish before the test reacts.
        if (own.sentBytes < target) await new Promise<void>((resolve) => waiting.add({ target, resolve }));
      },
    };
    Object.assign(globalThis, { counting: own });
    const channel = RTCDataChannel.prototype;
    const send: (this: RTCDataChannel, data: never) => void = channel.send;
    channel.send = function (this: RTCDataChannel, data: unknown) {
      send.call(this, data as never);
      if (data instanceof Uint8Array) own.sentBytes += data.byteLength;
      for (const wait of waiting)
        if (own.sentBytes >= wait.target) {
          waiting.delete(wait);
          wait.resolve();
        }
    };
  });
}

/** The number of copied chunks of the file with the most bytes in a page's storage, and one more if complete. */
export function copiedChunks(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const root = await navigator.storage.getDirectory();
    const folder = await root.getDirectoryHandle("warren-files", { create: true });
    let longest = 0;
    for await (const entry of folder.values())
      if (entry.kind === "file" && entry.name.endsWith(".ledger"))
        longest = Math.max(longest, (await (entry as FileSystemFileHandle).getFile()).size);
    return longest / 36;
  });
}

/** Flips a random bit of the largest stored file of a page, while the page does not have it open. */
export async function flipStoredBit(page: Page): Promise<void> {
  const storedChunks = await page.evaluate(async () => {
    const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle("warren-files");
    let ledger = new Uint8Array();
    let fid = "";
    for await (const name of folder.keys()) {
      if (!name.endsWith(".ledger")) continue;
      const file = await (await folder.getFileHandle(name)).getFile();
      if (file.size <= ledger.length) continue;
      ledger = new Uint8Array(await file.arrayBuffer());
      fid = name.slice(0, -".ledger".length);
    }
    const count = Math.floor(ledger.length / 36);
    if (count === 0) return 0;
    const chunk = new DataView(ledger.buffer).getUint32(36 * Math.floor(Math.random() * count));
    const handle = await folder.getFileHandle(`${fid}.data`);
    const at = chunk * 512 * 1024 + Math.floor(Math.random() * 512 * 1024);
    const byte = new Uint8Array(await (await handle.getFile()).slice(at, at + 1).arrayBuffer());
    const flipped = (byte[0] ?? 0) ^ (1 << Math.floor(Math.random() * 8));
    const writing = await handle.createWritable({ keepExistingData: true });
    await writing.write({ type: "write", position: at, data: new Uint8Array([flipped]) });
    await writing.close();
    return count;
  });
  expect(storedChunks).toBeGreaterThan(0);
}

/**
 * As {@link killBrowser}, for the browsers of several profiles, one of which is sending.
 * @returns the bytes of blocks that the sender had sent, polled until it no longer answered.
 */
export async function killCounted(worker: Worker, profiles: readonly string[]): Promise<number> {
  let sentBytes = await sentBytesOf(worker);
  let isKilled = false;
  const killing = Promise.all(profiles.map(killBrowser)).finally(() => {
    isKilled = true;
  });
  const counting = (async () => {
    while (!isKilled) sentBytes = await sentBytesOf(worker);
  })();
  await Promise.all([killing, counting.catch(() => {})]);
  return sentBytes;
}

/** Kills the browser of a profile and all its child processes. */
export async function killBrowser(profile: string): Promise<void> {
  const pids: number[] = [];
  for (const name of await readdir("/proc")) {
    const command = await readFile(`/proc/${name}/cmdline`, "utf8").catch(() => "");
    if (/^\d+$/.test(name) && command.split("\0").includes(`--user-data-dir=${profile}`))
      pids.push(Number(name));
  }
  expect(pids.length).toBeGreaterThan(0);
  for (const pid of pids) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It exited by itself when its browser was gone.
    }
  }
  // Takes a moment on a slow disk, and a profile in use cannot be reopened.
  await expect.poll(async () => (await Promise.all(pids.map(isRunning))).includes(true)).toBe(false);
}

/** Whether a process exists and is not a zombie. */
async function isRunning(pid: number): Promise<boolean> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return /^State:\s+[^ZX]/m.test(status);
}
