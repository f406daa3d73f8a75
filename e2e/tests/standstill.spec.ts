import { appendFile, rm } from "node:fs/promises";
import { openConversation } from "../support/conversation.ts";
import { attach, chooseAgain, fileCard, keepHere, savedSha256, writeRandomFile } from "../support/files.ts";
import { expect, test } from "../support/fixtures.ts";
import { expectOnline, startRoom } from "../support/room.ts";
import {
  copiedChunks,
  countSending,
  killCounted,
  lostLimitBytes,
  openSurvivor,
  type Survivor,
  sentBytesOf,
  transferWorker,
  whenSent,
} from "../support/survivor.ts";

const mib = 1024 * 1024;
const isLong = process.env.WARREN_LONG === "1";
const fileName = "recording.bin";

test("a file arrives complete after the sender's browser is killed", async ({
  newPerson,
  server,
  room,
}, testInfo) => {
  test.setTimeout(360_000);
  // A copy of the smaller one is kept; the larger one has to be chosen again.
  const sizeMib = isLong ? 200 : 32;
  const bo = await newPerson({ name: "Bo" });
  const path = testInfo.outputPath(fileName);
  const sha256 = await writeRandomFile(path, sizeMib);
  const profile = testInfo.outputPath("profile");
  const settings = { name: "Ada", other: "Bo", room, profile, url: server.url };
  await startRoom(bo, { room });
  let ada = await openSurvivor(settings, { isNew: true });
  await expectOnline(bo.page, "Ada");
  // Close normally once, so that data which the browser buffers for a few seconds is on disk.
  await ada.context.close();
  ada = await openSurvivor(settings);
  await openConversation(ada.page, "Bo");
  await openConversation(bo.page, "Ada");

  let worker = await transferWorker(ada.page);
  await countSending(worker);
  await attach(ada.page, path);
  if (!isLong)
    await expect.poll(() => copiedChunks(ada.page), { timeout: 120_000 }).toBeGreaterThan(sizeMib * 2);
  await keepHere(fileCard(bo.page, fileName));
  await whenSent(worker, Math.round((0.2 + 0.6 * Math.random()) * sizeMib * mib));
  const sentBefore = await killCounted(worker, [profile]);
  ada = await openSurvivor(settings, {
    beforeJoining: async (page) => {
      worker = await transferWorker(page);
      await countSending(worker);
    },
  });
  if (isLong) {
    await openConversation(ada.page, "Bo");
    await expect(fileCard(bo.page, fileName)).toContainText("Ada has to choose the file again");
    await chooseAgain(ada.page, path);
  }

  await expect(fileCard(bo.page, fileName)).toContainText("Received", { timeout: 180_000 });
  const sentAgain = sentBefore + (await sentBytesOf(worker)) - sizeMib * mib;
  testInfo.annotations.push({ type: "sent again", description: `${(sentAgain / mib).toFixed(2)} MiB` });
  expect(sentAgain).toBeLessThan(lostLimitBytes);
  expect(await savedSha256(bo.page, fileName)).toBe(sha256);
  await ada.context.close();
});

test("files arrive while the sender's worker collects its garbage all the time", async ({
  newPerson,
  server,
  room,
}, testInfo) => {
  test.setTimeout(isLong ? 7_200_000 : 240_000);
  const fileCount = isLong ? 500 : 4;
  const stepMib = isLong ? 4 : 2;
  // A person with each receiver, whose storage is small.
  const filesEach = 20;
  const profile = testInfo.outputPath("profile");
  let sender: Survivor | null = null;
  for (let first = 0; first < fileCount; first += filesEach) {
    const name = `Bo ${1 + first / filesEach}`;
    const bo = await newPerson({ name });
    await startRoom(bo, { room });
    const settings = { name: "Ada", other: name, room, profile, url: server.url };
    sender ??= await openSurvivor(settings, { isNew: true, args: ["--js-flags=--expose-gc"] });
    const ada = sender.page;
    await expectOnline(ada, name);
    await openConversation(ada, name);
    await openConversation(bo.page, "Ada");
    const worker = await transferWorker(ada);
    if (first === 0)
      await worker.evaluate(() => void setInterval((globalThis as unknown as { gc(): void }).gc, 1));
    for (let n = first; n < Math.min(fileCount, first + filesEach); n++) {
      const path = testInfo.outputPath(`recording ${n}.bin`);
      const sha256 = await writeRandomFile(path, stepMib * (1 + (n % 4)));
      await attach(ada, path);
      const card = fileCard(bo.page, `recording ${n}.bin`);
      await keepHere(card);
      await expect(card).toContainText("Received", { timeout: 90_000 });
      await expect(fileCard(ada, `recording ${n}.bin`)).toContainText("Received by Bo");
      if (n === first) expect(await savedSha256(bo.page, `recording ${n}.bin`)).toBe(sha256);
      await rm(path);
    }
    await bo.context.close();
  }
  await sender?.context.close();
});

test("a file that is edited while it is sent fails with the reason on both sides", async ({
  newPerson,
  server,
  room,
}, testInfo) => {
  test.setTimeout(360_000);
  const bo = await newPerson({ name: "Bo" });
  await startRoom(bo, { room });
  const profile = testInfo.outputPath("profile");
  const settings = { name: "Ada", other: "Bo", room, profile, url: server.url };
  const ada = await openSurvivor(settings, { isNew: true });
  await openConversation(ada.page, "Bo");
  await openConversation(bo.page, "Ada");
  const path = testInfo.outputPath(fileName);
  // Larger than the limit for kept copies.
  await writeRandomFile(path, isLong ? 200 : 96);
  const worker = await transferWorker(ada.page);
  await countSending(worker);
  await attach(ada.page, path);
  await keepHere(fileCard(bo.page, fileName));
  await whenSent(worker, 8 * mib);
  await appendFile(path, "one more line");
  await expect(fileCard(ada.page, fileName)).toContainText(/Changed on your disk, stopped at \d+%/);
  await expect(fileCard(bo.page, fileName)).toContainText(/Changed on Ada's disk, stopped at \d+%/);
  await fileCard(bo.page, fileName)
    .getByRole("button", { name: `Ask again: ${fileName}` })
    .click();
  await expect(fileCard(bo.page, fileName)).toContainText("Ada has to choose the file again");
  await expect(
    fileCard(ada.page, fileName).getByRole("button", { name: `Choose file: ${fileName}` }),
  ).toBeVisible();
  await ada.context.close();
});

test("a file that hits a full disk is paused on both sides, and resumes automatically once there is space", async ({
  newPerson,
  server,
  room,
}, testInfo) => {
  test.setTimeout(360_000);
  const sizeMib = isLong ? 200 : 8;
  const ada = await newPerson({ name: "Ada" });
  await startRoom(ada, { room });
  const profile = testInfo.outputPath("profile");
  const settings = { name: "Bo", other: "Ada", room, profile, url: server.url };
  const bo = await openSurvivor(settings, { isNew: true });
  await openConversation(ada.page, "Bo");
  await openConversation(bo.page, "Ada");
  const path = testInfo.outputPath(fileName);
  const sha256 = await writeRandomFile(path, sizeMib);
  const session = await bo.context.newCDPSession(bo.page);
  const origin = new URL(server.url).origin;
  await session.send("Storage.overrideQuotaForOrigin", { origin, quotaSize: (sizeMib / 2) * mib });
  await attach(ada.page, path);
  await keepHere(fileCard(bo.page, fileName));
  // The browser's own quota does not include this limit: only a write fails.
  await expect(fileCard(bo.page, fileName)).toContainText("storage full. Resumes when there is space.");
  await expect(fileCard(ada.page, fileName)).toContainText("Bo's storage is full");
  await session.send("Storage.overrideQuotaForOrigin", { origin });
  await expect(fileCard(bo.page, fileName)).toContainText("Received", { timeout: 180_000 });
  expect(await savedSha256(bo.page, fileName)).toBe(sha256);
  await bo.context.close();
});
