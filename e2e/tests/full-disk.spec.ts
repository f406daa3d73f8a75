import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import { messageLog, openConversation } from "../support/conversation.ts";
import { attach, fileCard, keepHere, savedSha256, writeRandomFile } from "../support/files.ts";
import { expect, test } from "../support/fixtures.ts";
import { startRoom } from "../support/room.ts";
import { openSurvivor } from "../support/survivor.ts";

const isLong = process.env.WARREN_LONG === "1";
const fileName = "recording.bin";

/** Fills up a disk, as another program does. */
async function fill(path: string): Promise<void> {
  const file = await open(path, "a");
  try {
    // Large pieces first: it has to fill the disk faster than the transfer.
    for (const bytes of [4 * 1024 * 1024, 4_096]) {
      const piece = Buffer.alloc(bytes);
      const write = async () => {
        for (;;) await file.write(piece);
      };
      await expect(write()).rejects.toMatchObject({ code: "ENOSPC" });
    }
  } finally {
    await file.close();
  }
}

// Requires a small disk for the browser, and mounting one requires root.
if (isLong && process.getuid?.() === 0) {
  test("a page whose disk was full resumes once another program has freed space, and shows nothing as unsaved", async ({
    newPerson,
    server,
    room,
  }, testInfo) => {
    test.setTimeout(600_000);
    const disk = testInfo.outputPath("disk");
    mkdirSync(disk, { recursive: true });
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=400m", "tmpfs", disk]);
    try {
      const ada = await newPerson({ name: "Ada" });
      await startRoom(ada, { room });
      const profile = `${disk}/profile`;
      const settings = { name: "Bo", other: "Ada", room, profile, url: server.url };
      const bo = await openSurvivor(settings, { isNew: true });
      await openConversation(ada.page, "Bo");
      await openConversation(bo.page, "Ada");
      const path = testInfo.outputPath(fileName);
      const sha256 = await writeRandomFile(path, 60);
      await attach(ada.page, path);
      const card = fileCard(bo.page, fileName);
      await keepHere(card);
      await expect(card).toContainText(/[1-9]\d*\.\d of 60/);
      await fill(`${disk}/filler`);
      await expect(card).toContainText("storage full");
      for (const { page } of [ada, bo]) {
        await page.getByRole("textbox", { name: "Message" }).fill(`while it was full`);
        await page.keyboard.press("Control+Enter");
      }
      await expect(messageLog(bo.page).getByText("while it was full")).toHaveCount(2);
      await expect(
        bo.page.getByText(/^Storage is full\. Free up space and keep this page open/),
      ).toBeVisible();
      // Chromium clears its file system on the next write.
      await card.getByRole("button", { name: "Try again" }).click();
      await fill(`${disk}/filler`);
      await bo.page.waitForTimeout(20_000);
      await expect(card).toContainText("storage full");
      rmSync(`${disk}/filler`);
      const freedAt = Date.now();
      await expect(card).toContainText("Received", { timeout: 120_000 });
      testInfo.annotations.push({
        type: "verified after",
        description: `${(Date.now() - freedAt) / 1000} s`,
      });
      expect(await savedSha256(bo.page, fileName)).toBe(sha256);
      await expect(bo.page.getByText(/^Storage is full/)).toHaveCount(0);
      // Not reloaded while the disk is full: Chromium deletes the databases, including the identity's key, so
      // the page would return as someone else. packages/core/src/scenarios/full-disk.test.ts covers browsers
      // that keep them.
      await bo.context.close();
    } finally {
      execFileSync("umount", ["-l", disk]);
    }
  });
}
