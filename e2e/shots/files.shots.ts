import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { openConversation } from "../support/conversation.ts";
import { attach, drop, fileCard, keepHere } from "../support/files.ts";
import { expect, ownServerTest as test } from "../support/fixtures.ts";
import { drawQuay } from "../support/pictures.ts";
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
  await keepHere(fileCard(bo.page, "Location scouting"));
  await expect(fileCard(bo.page, "Location scouting")).toContainText("Received");
  const names = ["tide-tables.pdf", "survey.mov", "logbook of the spring survey, second reading.txt"];
  for (const name of names) {
    await attach(ada.page, {
      name,
      mimeType: "",
      buffer: Buffer.from("09:12 high, 15:20 low, 5 °C\n".repeat(12_000 + name.length)),
    });
    await keepHere(fileCard(bo.page, name));
    await expect(fileCard(bo.page, name)).toContainText("Received");
  }
  await attach(ada.page, {
    name: "harbour.png",
    mimeType: "image/png",
    buffer: drawQuay(640, 400),
  });
  await expect(bo.page.getByRole("button", { name: /harbour\.png/ }).first()).toBeVisible();
  await bo.page.getByRole("button", { name: "Show files: Location scouting" }).click();
  await bo.page.getByRole("log").evaluate((log) => log.scrollTo(0, 0));
  await shoot(bo.page, "folder");
  const { page } = bo;
  await page.getByRole("link", { name: "Files" }).click();
  await expect(page.getByText("survey.mov", { exact: true })).toBeVisible();
  await shoot(page, "files");
  const row = (name: string) => page.getByRole("row").filter({ hasText: name });
  const menu = page.getByRole("button", { name: "Actions for survey.mov" });
  await shoot(page, "file-menu", { open: () => menu.click() });
  await row("tide-tables").focus();
  await page.keyboard.press("Space");
  await shoot(page, "files-selected");
  await row("tide-tables").focus();
  await page.keyboard.press("Delete");
  await page.getByRole("dialog", { name: "Delete 1 file?" }).waitFor();
  await shoot(page, "delete-files");
  await page.keyboard.press("Escape");
  for (const [name, screen] of [
    ["harbour.png", "preview-picture"],
    ["logbook", "preview-text"],
    ["survey.mov", "preview-video"],
  ] as const) {
    await row(name).dblclick();
    await page.getByRole("dialog").waitFor();
    await shoot(page, screen);
    await page.keyboard.press("Escape");
  }
  await page.getByRole("searchbox", { name: "Search files" }).fill("zebra");
  await shoot(page, "files-none-called");
  await shootComparison(ada.page, bo.page);
});

/** Screenshots of the comparison; a file that only Ada has makes the two sides differ. */
async function shootComparison(from: Page, page: Page): Promise<void> {
  await attach(from, { name: "soundings.csv", mimeType: "text/csv", buffer: Buffer.alloc(31_000) });
  await page.getByRole("link", { name: "Chat" }).click();
  await openConversation(page, "Ada");
  await expect(fileCard(page, "soundings.csv")).toBeVisible();
  await page.getByRole("button", { name: "Compare files" }).click();
  await expect(page.getByRole("row").filter({ hasText: "soundings.csv" })).toContainText("New");
  await shoot(page, "sync");
}

test("no files yet", async ({ newPerson }) => {
  const { page } = await newPerson({ name: "Ada" });
  await page.goto("/file");
  await page.getByText("No files yet").waitFor();
  await shoot(page, "files-empty");
});
