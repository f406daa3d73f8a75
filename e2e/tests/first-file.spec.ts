import { readFile } from "node:fs/promises";
import { countEffort } from "../support/effort.ts";
import { fileCard } from "../support/files.ts";
import { expect, test } from "../support/fixtures.ts";

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
  await offer.getByRole("button", { name: /^Save:/ }).click();
  const path = testInfo.outputPath("tide.txt");
  await (await saving).saveAs(path);
  expect(await readFile(path)).toEqual(bytes);
  expect(await bosEffort()).toEqual({ clicks: 2, dialogs: 0 });
  await expect(offer).toContainText("Saved");
  await bo.page.reload();
  await expect(offer).toContainText("Saved");
});
