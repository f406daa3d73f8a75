import { openConversation } from "../support/conversation.ts";
import { attach, fileCard, keepHere, savedSha256, writeRandomFile } from "../support/files.ts";
import { expect, test } from "../support/fixtures.ts";
import { expectOnline, startRoom } from "../support/room.ts";
import {
  countSending,
  flipStoredBit,
  killBrowser,
  lostLimitBytes,
  openSurvivor,
  sentBytesOf,
  transferWorker,
  whenSent,
} from "../support/survivor.ts";

const mib = 1024 * 1024;
const isLong = process.env.WARREN_LONG === "1";
const sizeMib = isLong ? 200 : 40;
/**
 * Fifty kills in long runs. Each round has its own file, because a fast machine would finish a single one too
 * soon.
 */
const rounds = isLong ? 5 : 1;
const kills = isLong ? 10 : 3;
const fileName = "recording.bin";

for (let round = 1; round <= rounds; round++) {
  const which = isLong ? `, ${round}` : "";
  test(`a file arrives complete after the receiver's browser is killed ${kills} times and a stored bit flips${which}`, async ({
    newPerson,
    server,
    room,
  }, testInfo) => {
    test.setTimeout(isLong ? 1_200_000 : 300_000);
    const ada = await newPerson({ name: "Ada" });
    const path = testInfo.outputPath(fileName);
    const sha256 = await writeRandomFile(path, sizeMib);
    const profile = testInfo.outputPath("profile");

    await startRoom(ada, { room });
    // Close normally once, so that data which the browser buffers for a few seconds is on disk.
    const settings = { name: "Bo", other: "Ada", room, profile, url: server.url };
    let bo = await openSurvivor(settings, { isNew: true });
    await expectOnline(ada.page, "Bo");
    await bo.context.close();
    bo = await openSurvivor(settings);
    await expectOnline(ada.page, "Bo");
    await openConversation(ada.page, "Bo");
    await openConversation(bo.page, "Ada");

    const worker = await transferWorker(ada.page);
    await countSending(worker);
    await attach(ada.page, path);
    await keepHere(fileCard(bo.page, fileName));

    const sizeBytes = sizeMib * mib;
    for (let kill = 0; kill < kills; kill++) {
      const sentBytes = await sentBytesOf(worker);
      const share = Math.random() / (kills - kill);
      const drawnBytes = Math.round(sentBytes + share * Math.max(0, sizeBytes * 0.95 - sentBytes));
      // By the last kill something is stored, so that a bit can be flipped.
      const targetBytes = kill === kills - 1 ? Math.max(drawnBytes, sizeBytes / 4) : drawnBytes;
      testInfo.annotations.push({ type: "kill", description: `${kill + 1} at ${targetBytes} bytes sent` });
      await whenSent(worker, targetBytes);
      await killBrowser(profile);
      bo = await openSurvivor(settings, kill === kills - 1 ? { beforeJoining: flipStoredBit } : {});
      await openConversation(bo.page, "Ada");
    }

    await expect(fileCard(bo.page, fileName)).toContainText("Received", { timeout: testInfo.timeout / 2 });
    const sentBytes = await sentBytesOf(worker);
    testInfo.annotations.push({
      type: "sent again",
      description: `${((sentBytes - sizeBytes) / mib / kills).toFixed(2)} MiB for each kill`,
    });
    expect(sentBytes - sizeBytes).toBeLessThan(kills * lostLimitBytes);

    expect(await savedSha256(bo.page, fileName)).toBe(sha256);
    await bo.context.close();
  });
}
