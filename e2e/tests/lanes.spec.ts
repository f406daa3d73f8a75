import { attach, fileCard, keepHere, sha256OfFile, writeRandomFile } from "../support/files.ts";
import { expect, test } from "../support/fixtures.ts";
import { killConnection, recordConnections, sentMib } from "../support/recorded-connections.ts";
import { meet } from "../support/room.ts";

test("a large file opens additional connections, and continues after one is lost", async ({
  newPerson,
  room,
}, testInfo) => {
  test.setTimeout(360_000);
  const ada = await newPerson({ name: "Ada" });
  const bo = await newPerson({ name: "Bo" });
  await recordConnections(ada.page);
  await meet([ada, bo], { room });
  const path = testInfo.outputPath("recording.bin");
  // On a slow machine a lane opens after two seconds of sending, so the transfer must take that long.
  const sent = await writeRandomFile(path, 128);

  await attach(ada.page, path);
  await keepHere(fileCard(bo.page, "recording.bin"));
  let lane = -1;
  await expect
    .poll(
      async () => {
        const [, ...lanes] = await sentMib(ada.page);
        lane = lanes.findIndex((mib) => mib > 1) + 1;
        return lane;
      },
      { timeout: 120_000, intervals: [100] },
    )
    .toBeGreaterThan(0);
  await killConnection(ada.page, lane);
  await expect(fileCard(bo.page, "recording.bin")).toContainText("Received", { timeout: 180_000 });

  const downloading = bo.page.waitForEvent("download");
  await fileCard(bo.page, "recording.bin").getByRole("button", { name: "Save: recording.bin" }).click();
  expect(await sha256OfFile(await (await downloading).path())).toBe(sent);
});
