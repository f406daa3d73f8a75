import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { fileCard } from "../support/files.ts";
import { expect, test } from "../support/fixtures.ts";

/** Counts a person's effort on a page: clicks, and dialogs that open. */
async function countEffort(page: Page): Promise<() => Promise<{ clicks: number; dialogs: number }>> {
  await page.addInitScript(() => {
    const effort = { clicks: 0, dialogs: 0 };
    Object.assign(globalThis, { effort });
    const countClick = ({ isTrusted }: Event): void => {
      if (isTrusted) effort.clicks += 1;
    };
    addEventListener("click", countClick, true);
    const isDialog = (node: Node) =>
      node instanceof Element &&
      (node.matches("[role=dialog], [role=alertdialog], dialog") ||
        node.querySelector("[role=dialog], [role=alertdialog], dialog"));
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes) effort.dialogs += [...addedNodes].filter(isDialog).length;
    }).observe(document, { childList: true, subtree: true });
  });
  return () => page.evaluate(() => Reflect.get(globalThis, "effort"));
}

test("two newcomers need three clicks to offer a file and two to save it, without a dialog", async ({
  newPerson,
}, testInfo) => {
  const ada = await newPerson({ name: "Ada" });
  const bo = await newPerson({ name: "Bo" });
  const adasEffort = await countEffort(ada.page);
  const bosEffort = await countEffort(bo.page);
  // A test cannot set files in the browser's own picker, only in an input.
  await ada.page.addInitScript(() => Reflect.deleteProperty(window, "showOpenFilePicker"));
  const bytes = Buffer.from("The tide turns at nine.");

  await ada.page.goto("/");
  await ada.page.getByRole("button", { name: "New room" }).click();
  await expect(ada.page.getByText("Link copied")).toBeVisible();
  await bo.page.goto(await ada.page.evaluate(() => navigator.clipboard.readText()));
  await bo.page.getByRole("button", { name: "Join room" }).click();

  // The conversation with the first peer opens automatically.
  await expect(ada.page.getByRole("region", { name: /^Conversation with (?!everyone)/i })).toBeVisible();
  await ada.page.getByRole("button", { name: /^Send files.* clipboard/ }).click();
  const choosing = ada.page.waitForEvent("filechooser");
  await ada.page.getByRole("menuitem", { name: "Files" }).click();
  await (await choosing).setFiles({ name: "tide.txt", mimeType: "text/plain", buffer: bytes });
  const offer = fileCard(bo.page, "tide.txt");
  await expect(offer).toBeVisible();
  expect(await adasEffort()).toEqual({ clicks: 3, dialogs: 0 });

  const saving = bo.page.waitForEvent("download");
  await offer.getByRole("button", { name: /^Accept and save/ }).click();
  const path = testInfo.outputPath("tide.txt");
  await (await saving).saveAs(path);
  expect(await readFile(path)).toEqual(bytes);
  expect(await bosEffort()).toEqual({ clicks: 2, dialogs: 0 });
  await expect(offer).toContainText("Saved");
  await bo.page.reload();
  await expect(offer).toContainText("Saved");
});
