import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openConversation } from "../support/conversation.ts";
import { attach, drop, fileCard } from "../support/files.ts";
import { expect, test } from "../support/fixtures.ts";
import { meet } from "../support/room.ts";
import { shoot } from "../support/shots.ts";

test("files and folders", async ({ newPerson }, testInfo) => {
  test.slow();
  const ada = await newPerson({ name: "Ada" });
  const bo = await newPerson({ name: "Bo" });
  await meet([ada, bo], { room: "harbour" });
  await openConversation(ada.page, "Bo");
  await openConversation(bo.page, "Ada");
  const folder = testInfo.outputPath("Location scouting");
  for (const [index, place] of ["pier", "slip", "light house"].entries()) {
    await mkdir(join(folder, place), { recursive: true });
    for (let shot = 0; shot <= index; shot++)
      await writeFile(join(folder, place, `${place} ${shot + 1}.jpg`), Buffer.alloc(400_000 + shot));
  }
  await drop(ada.page, [folder]);
  await bo.page.getByRole("button", { name: "Accept: Location scouting" }).click();
  await expect(fileCard(bo.page, "Location scouting")).toContainText("Verified");
  const names = ["tide-tables.pdf", "survey.mov", "logbook of the spring survey, second reading.txt"];
  for (const name of names) {
    await attach(ada.page, { name, mimeType: "", buffer: Buffer.alloc(98_000 + name.length * 7_001) });
    await bo.page.getByRole("button", { name: `Accept: ${name}` }).click();
    await expect(fileCard(bo.page, name)).toContainText("Verified");
  }
  await bo.page.getByRole("button", { name: "Show files: Location scouting" }).click();
  await bo.page.getByRole("log").evaluate((log) => log.scrollTo(0, 0));
  await shoot(bo.page, "folder");
  await bo.page.setViewportSize({ width: 1440, height: 900 });
  await bo.page.getByRole("link", { name: "Files" }).click();
  await expect(bo.page.getByText("survey.mov", { exact: true })).toBeVisible();
  await shoot(bo.page, "files");
});
