import { readFile } from "node:fs/promises";
import type { Locator, Page } from "@playwright/test";
import { expectNoViolations, inEveryLook } from "../support/accessibility.ts";
import { countEffort } from "../support/effort.ts";
import { expect, type Person, test } from "../support/fixtures.ts";
import { chooseFrom } from "../support/menu.ts";
import { expectStill, watchStill } from "../support/still.ts";

const section = (page: Page): Locator => page.getByRole("region", { name: "Nearby" });
const toggle = (page: Page): Locator => page.getByRole("switch", { name: "Nearby" });
const row = (page: Page, name: string): Locator =>
  section(page)
    .getByRole("listitem")
    .filter({ has: page.getByText(name, { exact: true }) });

/** Opens the start page under a person's name, and turns Nearby on. */
async function turnOn({ name, page }: Person): Promise<void> {
  await page.addInitScript((own) => {
    if (localStorage.getItem("profile") === null)
      localStorage.setItem("profile", JSON.stringify({ name: own, roomId: "burrow", createdAt: 1 }));
    // A test cannot set files in the browser's own picker, only in an input.
    Reflect.deleteProperty(window, "showOpenFilePicker");
  }, name);
  await page.goto("/");
  await toggle(page).check();
}

test("two who have Nearby on need two presses to offer a file and one to save it, without a dialog", async ({
  newPerson,
}, testInfo) => {
  const ada = await newPerson({ name: "Ada" });
  const bo = await newPerson({ name: "Bo" });
  await turnOn(ada);
  await expect(section(ada.page)).toContainText("Nobody else");
  await watchStill(ada.page);
  await turnOn(bo);
  await expect(row(ada.page, "Bo")).toContainText("directly on your network");
  await expectStill(ada.page, "somebody comes");
  await inEveryLook(ada.page, (look) => expectNoViolations(ada.page, `nearby, ${look}`));
  await ada.page.setViewportSize({ width: 1280, height: 720 });

  // On since before: it is remembered.
  const adasEffort = await countEffort(ada.page);
  const bosEffort = await countEffort(bo.page);
  for (const { page } of [ada, bo]) await page.reload();
  const choosing = ada.page.waitForEvent("filechooser");
  await row(ada.page, "Bo").getByRole("button", { name: "Send files to Bo" }).click();
  const bytes = Buffer.from("The tide turns at nine.");
  await (await choosing).setFiles({ name: "tide.txt", mimeType: "text/plain", buffer: bytes });
  const offer = row(bo.page, "Ada");
  await expect(offer).toContainText("Wants to send tide.txt");
  // The second press chooses the file, in the picker of the system.
  expect(await adasEffort()).toEqual({ clicks: 1, dialogs: 0 });

  const saving = bo.page.waitForEvent("download");
  await offer.getByRole("button", { name: "Save 23 B" }).click();
  const path = testInfo.outputPath("tide.txt");
  await (await saving).saveAs(path);
  expect(await readFile(path)).toEqual(bytes);
  expect(await bosEffort()).toEqual({ clicks: 1, dialogs: 0 });
});

test("one press ends it for all, and one more press meets them again", async ({ newPerson }) => {
  const ada = await newPerson({ name: "Ada" });
  const bo = await newPerson({ name: "Bo" });
  for (const person of [ada, bo]) await turnOn(person);
  await expect(row(ada.page, "Bo")).toContainText("directly on your network");
  await toggle(bo.page).uncheck();
  await expect(row(ada.page, "Bo")).toHaveCount(0);
  await expect(row(bo.page, "Ada")).toHaveCount(0);
  await bo.page.reload();
  await expect(toggle(bo.page)).not.toBeChecked();
  await toggle(bo.page).check();
  await expect(row(ada.page, "Bo")).toContainText("directly on your network");
});

test("a row leads to a conversation, to the safety code and to blocking for good", async ({ newPerson }) => {
  const ada = await newPerson({ name: "Ada" });
  const bo = await newPerson({ name: "Bo" });
  for (const person of [ada, bo]) await turnOn(person);
  await row(ada.page, "Bo").getByRole("link").click();
  const composer = ada.page.getByRole("textbox", { name: /^Message/ });
  await composer.fill("Are you the one by the window?");
  await composer.press("Control+Enter");
  await expect(row(bo.page, "Ada")).toContainText("Are you the one by the window?");
  await expect(
    ada.page.getByRole("navigation", { name: "People" }).getByRole("link", { name: "Everyone" }),
  ).toHaveCount(0);

  await row(bo.page, "Ada").getByRole("button", { name: "Not verified" }).click();
  await expect(bo.page.getByRole("dialog")).toContainText("read out these seven");
  await bo.page.keyboard.press("Escape");
  await chooseFrom(row(bo.page, "Ada").getByRole("button", { name: "More", exact: true }), "Block Ada");
  await expect(row(bo.page, "Ada")).toContainText("Blocked");
  await ada.page.reload();
  await bo.page.reload();
  await expect(section(bo.page).getByText(/^Direct/)).toHaveCount(0);
});
