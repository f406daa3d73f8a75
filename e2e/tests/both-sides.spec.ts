import { openConversation } from "../support/conversation.ts";
import { attach, fileCard, keepHere, savedSha256, writeRandomFile } from "../support/files.ts";
import { expect, ownServerTest, type Person, test } from "../support/fixtures.ts";
import { meet } from "../support/room.ts";
import { serverAwayErrors } from "../support/server.ts";
import {
  copiedChunks,
  countSending,
  killCounted,
  lostLimitBytes,
  openSurvivor,
  sentBytesOf,
  transferWorker,
  whenSent,
} from "../support/survivor.ts";

const mib = 1024 * 1024;
const isLong = process.env.WARREN_LONG === "1";
const fileName = "recording.bin";

/** Two people with an open conversation; one is sending a file, most of which has been sent on return. */
async function sendPart(
  [ada, bo]: readonly [Pick<Person, "page">, Pick<Person, "page">],
  path: string,
  { sizeMib, share }: { sizeMib: number; share: number },
) {
  await openConversation(ada.page, "Bo");
  await openConversation(bo.page, "Ada");
  const worker = await transferWorker(ada.page);
  await countSending(worker);
  await attach(ada.page, path);
  // Without a copy of the file nobody could resume it once its page is gone.
  const chunks = () => copiedChunks(ada.page);
  await expect.poll(chunks, { timeout: 60_000 }).toBeGreaterThan(sizeMib * 2);
  await keepHere(fileCard(bo.page, fileName));
  await whenSent(worker, Math.round(share * sizeMib * mib));
  return worker;
}

// Each kill has its own file: a fast machine would finish one before the thirtieth kill.
for (let round = 1; round <= (isLong ? 30 : 1); round++) {
  const which = isLong ? `, ${round}` : "";
  test(`a file arrives complete after both browsers are killed simultaneously${which}`, async ({
    server,
    room,
  }, testInfo) => {
    test.setTimeout(300_000);
    const sizeMib = 24;
    const path = testInfo.outputPath(fileName);
    const sha256 = await writeRandomFile(path, sizeMib);
    const place = { room, url: server.url };
    const adaSettings = { ...place, name: "Ada", other: "Bo", profile: testInfo.outputPath("ada") };
    const boSettings = { ...place, name: "Bo", other: "Ada", profile: testInfo.outputPath("bo") };
    const open = (options: Parameters<typeof openSurvivor>[1]) =>
      Promise.all([openSurvivor(adaSettings, options), openSurvivor(boSettings, options)]);
    // Close normally once, so that data which the browser buffers for a few seconds is on disk.
    for (const { context } of await open({ isNew: true })) await context.close();

    let [ada, bo] = await open({});
    let worker = await sendPart([ada, bo], path, { sizeMib, share: 0.2 + 0.4 * Math.random() });
    const sentBefore = await killCounted(worker, [adaSettings.profile, boSettings.profile]);
    const beforeJoining = async (page: Person["page"]) => {
      worker = await transferWorker(page);
      await countSending(worker);
    };
    [ada, bo] = await Promise.all([openSurvivor(adaSettings, { beforeJoining }), openSurvivor(boSettings)]);

    await openConversation(bo.page, "Ada");
    await expect(fileCard(bo.page, fileName)).toContainText("Received", { timeout: 180_000 });
    const sentAgain = sentBefore + (await sentBytesOf(worker)) - sizeMib * mib;
    const description = `${(sentAgain / mib).toFixed(2)} MiB`;
    testInfo.annotations.push({ type: "sent again", description });
    expect(sentAgain).toBeLessThan(lostLimitBytes);
    expect(await savedSha256(bo.page, fileName)).toBe(sha256);
    for (const { context } of [ada, bo]) await context.close();
  });
}

ownServerTest(
  "a file arrives complete after both pages are reloaded simultaneously and the server then stops",
  async ({ newPerson, server, room }, testInfo) => {
    test.setTimeout(300_000);
    const sizeMib = 32;
    const ada = await newPerson({ name: "Ada", expectedErrors: serverAwayErrors });
    const bo = await newPerson({ name: "Bo", expectedErrors: serverAwayErrors });
    await meet([ada, bo], { room });
    const path = testInfo.outputPath(fileName);
    const sha256 = await writeRandomFile(path, sizeMib);
    const before = await sendPart([ada, bo], path, { sizeMib, share: 0.2 });
    const sentBefore = await sentBytesOf(before);
    const working = ada.page.waitForEvent("worker", (worker) => worker.url().includes("transfer-worker"));
    const counting = working.then(async (worker) => {
      await countSending(worker);
      return worker;
    });
    await Promise.all([ada, bo].map(({ page }) => page.reload()));
    const worker = await counting;
    await whenSent(worker, 1 * mib);
    await server.stop();

    await expect(fileCard(bo.page, fileName)).toContainText("Received", { timeout: 180_000 });
    await expect(fileCard(ada.page, fileName)).toContainText("Received by Bo");
    const sentAgain = sentBefore + (await sentBytesOf(worker)) - sizeMib * mib;
    testInfo.annotations.push({ type: "sent again", description: `${(sentAgain / mib).toFixed(2)} MiB` });
    expect(sentAgain).toBeLessThan(lostLimitBytes);
    // The code that saves a file has not been loaded yet.
    await server.restart();
    expect(await savedSha256(bo.page, fileName)).toBe(sha256);
  },
);
