import { setTimeout as sleep } from "node:timers/promises";
import { openConversation } from "../support/conversation.ts";
import { startCuttableNetwork } from "../support/cuttable-network.ts";
import { attach, fileCard, keepHere, savedSha256, writeRandomFile } from "../support/files.ts";
import { expect, test } from "../support/fixtures.ts";
import { personRow } from "../support/room.ts";
import {
  countSending,
  lostLimitBytes,
  openSurvivor,
  sentBytesOf,
  transferWorker,
  whenSent,
} from "../support/survivor.ts";

const mib = 1024 * 1024;
const isLong = process.env.WARREN_LONG === "1";
// Twelve seconds are enough to be noticed and to start an ICE restart; thirty to give up a connection.
const cutMs = isLong ? 30_000 : 12_000;
const sizeMib = isLong ? 64 : 16;
const fileName = "recording.bin";

for (const serverToo of isLong ? [true, false] : [true]) {
  const what = serverToo
    ? "the network was cut"
    : "the connection between browsers, but not to the server, was cut";
  test(`a file arrives complete after ${what} for ${cutMs / 1_000} s`, async ({ server, room }, testInfo) => {
    test.setTimeout(300_000);
    const network = await startCuttableNetwork(server.port);
    const path = testInfo.outputPath(fileName);
    const sha256 = await writeRandomFile(path, sizeMib);
    const open = (name: string, other: string) => {
      const settings = { name, other, room, profile: testInfo.outputPath(name), url: network.url };
      return openSurvivor(settings, { isNew: true, prepare: network.carry });
    };
    const [ada, bo] = await Promise.all([open("Ada", "Bo"), open("Bo", "Ada")]);
    await openConversation(ada.page, "Bo");
    await openConversation(bo.page, "Ada");
    const worker = await transferWorker(ada.page);
    await countSending(worker);
    await attach(ada.page, path);
    await keepHere(fileCard(bo.page, fileName));
    await whenSent(worker, 0.3 * sizeMib * mib);

    network.cut({ serverToo });
    const ended = sleep(cutMs);
    for (const [page, other] of [
      [ada.page, "Bo"],
      [bo.page, "Ada"],
    ] as const)
      await expect(personRow(page, other).getByText("reconnecting", { exact: true })).toBeAttached({
        timeout: 30_000, // The browsers take several seconds to notice.
      });
    await ended;
    expect(await sentBytesOf(worker)).toBeLessThan(sizeMib * mib);
    network.heal();

    await expect(fileCard(bo.page, fileName)).toContainText("Received", { timeout: 180_000 });
    await expect(fileCard(ada.page, fileName)).toContainText("Received by Bo");
    const sentAgain = (await sentBytesOf(worker)) - sizeMib * mib;
    testInfo.annotations.push({ type: "sent again", description: `${(sentAgain / mib).toFixed(2)} MiB` });
    expect(sentAgain).toBeLessThan(lostLimitBytes);
    expect(await savedSha256(bo.page, fileName)).toBe(sha256);
    for (const { context } of [ada, bo]) await context.close();
    await network.close();
  });
}
