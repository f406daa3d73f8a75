import { readdir, readFile } from "node:fs/promises";
import { type BrowserContext, chromium, type Page, type Worker } from "@playwright/test";
import { launchOptions } from "../support/browser.ts";
import { openConversation } from "../support/conversation.ts";
import { attach, fileCard, sha256OfFile, writeRandomFile } from "../support/files.ts";
import { expect, test } from "../support/fixtures.ts";
import { expectOnline, startRoom } from "../support/room.ts";

const mib = 1024 * 1024;
const isLong = process.env.WARREN_LONG === "1";
const sizeMib = isLong ? 200 : 64;
const kills = isLong ? 50 : 3;
/** What a kill may cost: what was on its way and what was not yet with the disk. */
const lostLimitBytes = 6 * mib;
const room = "harbour";
const fileName = "recording.bin";

/** What the sender's worker counts. */
interface Counting {
  sentBytes: number;
  whenSent(targetBytes: number): Promise<void>;
}
declare const counting: Counting;

test(`a file arrives whole though the receiver's browser is killed ${kills} times`, async ({
  newPerson,
  server,
}, testInfo) => {
  test.setTimeout(isLong ? 3_600_000 : 300_000);
  const ada = await newPerson({ name: "Ada" });
  const path = testInfo.outputPath(fileName);
  const sha256 = await writeRandomFile(path, sizeMib);
  const profile = testInfo.outputPath("profile");

  await startRoom(ada, { room });
  // Closed once as people close it: what a browser keeps for a few seconds before writing it is then on the disk.
  let bo = await openBo(profile, server.url, true);
  await expectOnline(ada.page, "Bo");
  await bo.context.close();
  bo = await openBo(profile, server.url);
  await expectOnline(ada.page, "Bo");
  await openConversation(ada.page, "Bo");
  await openConversation(bo.page, "Ada");

  const worker = await transferWorker(ada.page);
  await countSending(worker);
  await attach(ada.page, path);
  await fileCard(bo.page, fileName)
    .getByRole("button", { name: `Accept: ${fileName}` })
    .click();

  const sizeBytes = sizeMib * mib;
  for (let kill = 0; kill < kills; kill++) {
    const sentBytes = await worker.evaluate(() => counting.sentBytes);
    const share = Math.random() / (kills - kill);
    const targetBytes = Math.round(sentBytes + share * Math.max(0, sizeBytes * 0.95 - sentBytes));
    testInfo.annotations.push({ type: "kill", description: `${kill + 1} at ${targetBytes} bytes sent` });
    await worker.evaluate((target) => counting.whenSent(target), targetBytes);
    await killBrowser(profile);
    bo = await openBo(profile, server.url);
    await openConversation(bo.page, "Ada");
  }

  await expect(fileCard(bo.page, fileName)).toContainText("Verified", { timeout: testInfo.timeout / 2 });
  const sentBytes = await worker.evaluate(() => counting.sentBytes);
  testInfo.annotations.push({
    type: "sent again",
    description: `${((sentBytes - sizeBytes) / mib / kills).toFixed(2)} MiB for each kill`,
  });
  expect(sentBytes - sizeBytes).toBeLessThan(kills * lostLimitBytes);

  const downloading = bo.page.waitForEvent("download");
  await fileCard(bo.page, fileName)
    .getByRole("button", { name: `Save: ${fileName}` })
    .click();
  expect(await sha256OfFile(await (await downloading).path())).toBe(sha256);
  await bo.context.close();
});

/** Starts Bo's browser on their profile and enters the room, which it remembers after the first time. */
async function openBo(
  profile: string,
  url: string,
  isNew = false,
): Promise<{ context: BrowserContext; page: Page }> {
  const context = await chromium.launchPersistentContext(profile, {
    ...launchOptions,
    baseURL: url,
    locale: "en-US",
  });
  const page = context.pages()[0] ?? (await context.newPage());
  if (isNew) await startRoom({ name: "Bo", context, page, requests: [] }, { room });
  else {
    await page.goto("/");
    await page.getByRole("button", { name: "Join room" }).click();
  }
  await expectOnline(page, "Ada");
  return { context, page };
}

async function transferWorker(page: Page): Promise<Worker> {
  const isTransferWorker = (worker: Worker) => worker.url().includes("transfer-worker");
  return page.workers().find(isTransferWorker) ?? page.waitForEvent("worker", isTransferWorker);
}

/** Counts the bytes of blocks that leave the sender, queued ones too. */
async function countSending(worker: Worker): Promise<void> {
  await worker.evaluate(() => {
    const waiting = new Set<{ readonly target: number; readonly resolve: () => void }>();
    const own: Counting = {
      sentBytes: 0,
      whenSent: (target) => new Promise((resolve) => waiting.add({ target, resolve })),
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

/** Ends the browser of a profile and everything it started, without a word to any of them. */
async function killBrowser(profile: string): Promise<void> {
  const pids: number[] = [];
  for (const name of await readdir("/proc")) {
    const command = await readFile(`/proc/${name}/cmdline`, "utf8").catch(() => "");
    if (/^\d+$/.test(name) && command.split("\0").includes(`--user-data-dir=${profile}`))
      pids.push(Number(name));
  }
  expect(pids.length).toBeGreaterThan(0);
  for (const pid of pids) process.kill(pid, "SIGKILL");
}
