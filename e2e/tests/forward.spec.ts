import type { Page } from "@playwright/test";
import { expectNoViolations, inEveryLook } from "../support/accessibility.ts";
import { deliverText, messagesWith, openConversation, pressAction } from "../support/conversation.ts";
import { attach, fileCard, keepHere } from "../support/files.ts";
import { expect, test } from "../support/fixtures.ts";
import { drawPng } from "../support/pictures.ts";
import { meet } from "../support/room.ts";

/** Selects people in the open forward dialog, and forwards. */
async function forwardTo(page: Page, names: readonly string[]): Promise<void> {
  const dialog = page.getByRole("dialog", { name: "Forward" });
  for (const name of names) await dialog.getByRole("checkbox", { name: new RegExp(name) }).check();
  await dialog.getByRole("button", { name: "Forward" }).click();
  await expect(dialog).toBeHidden();
}

test("a received text and file are forwarded to two of three others", async ({ newPerson, room }) => {
  test.slow();
  const ada = await newPerson({ name: "Ada" });
  const bo = await newPerson({ name: "Bo" });
  const cy = await newPerson({ name: "Cy" });
  const dot = await newPerson({ name: "Dot" });
  await meet([ada, bo, cy, dot], { room });
  await openConversation(ada.page, "Bo");
  await openConversation(bo.page, "Ada");
  await deliverText(bo.page, ada.page, "The tide turns at nine");

  const { page } = ada;
  await pressAction(messagesWith(page, "The tide turns at nine"), "Forward");
  await page.getByPlaceholder("Search for clients to forward...").fill("zz");
  await expect(page.getByText("No results found")).toBeVisible();
  await page.getByPlaceholder("Search for clients to forward...").fill("");
  await inEveryLook(page, (look) => expectNoViolations(page, `forward dialog, ${look}`));
  await page.setViewportSize({ width: 1280, height: 720 });
  const toastShown = expect(page.getByText("Sent to Cy and Dot")).toBeVisible();
  await Promise.all([toastShown, forwardTo(page, ["Cy", "Dot"])]);
  for (const other of [cy, dot]) {
    await openConversation(other.page, "Ada");
    await expect(messagesWith(other.page, "The tide turns at nine")).toBeVisible();
  }

  const tables = { name: "tides.txt", mimeType: "text/plain", buffer: Buffer.from("high 09:12, low 15:20") };
  await attach(bo.page, tables);
  await keepHere(fileCard(page, "tides.txt"));
  await expect(fileCard(page, "tides.txt")).toContainText("Received");
  // Both at once. Selecting moves no row, and its range selects no words.
  const tide = messagesWith(page, "The tide turns at nine");
  const heightOf = async () => (await tide.boundingBox())?.height;
  const height = await heightOf();
  await pressAction(tide, "Select");
  expect(await heightOf()).toBe(height);
  await fileCard(page, "tides.txt").click({ modifiers: ["Shift"] });
  const selected = page.getByRole("toolbar", { name: "2 messages selected" });
  expect(await page.evaluate(() => String(getSelection()))).toBe("");
  await selected.getByRole("button", { name: "Forward" }).click();
  // The bytes come from Ada: Bo has left.
  await bo.page.close();
  await forwardTo(page, ["Cy", "Dot"]);
  await expect(selected).toBeHidden();
  for (const other of [cy, dot]) {
    await expect(messagesWith(other.page, "The tide turns at nine")).toHaveCount(2);
    await keepHere(fileCard(other.page, "tides.txt"));
    await expect(fileCard(other.page, "tides.txt")).toContainText("Received");
  }
});

test("the files page lists, previews and deletes received files, and the message then shows that", async ({
  newPerson,
  room,
}) => {
  test.slow();
  const ada = await newPerson({ name: "Ada" });
  const bo = await newPerson({ name: "Bo" });
  await meet([ada, bo], { room });
  const { page } = ada;
  const page1 = '<script>document.title = "owned"</script>';
  const files = [
    { name: "harbour.png", mimeType: "image/png", buffer: drawPng(200, 120, (x, y) => [x, y, 120]) },
    { name: "page.html", mimeType: "text/html", buffer: Buffer.from(page1) },
    // 测试 in GBK.
    { name: "memo.txt", mimeType: "text/plain", buffer: Buffer.from("b2e2cad4", "hex") },
    { name: "plans.pdf", mimeType: "application/pdf", buffer: Buffer.from("%PDF-1.7\n") },
  ];
  for (const file of files) {
    await attach(bo.page, file);
    await keepHere(fileCard(page, file.name));
  }

  await page.getByRole("link", { name: "Files" }).click();
  const row = (name: string) => page.getByRole("row").filter({ hasText: name });
  for (const { name } of files)
    await expect(row(name).getByRole("button", { name: `Save ${name}` })).toBeVisible();
  await expect(page.getByText(/ in files, .* free/)).toBeVisible();
  await inEveryLook(page, (look) => expectNoViolations(page, `files, ${look}`));
  await page.setViewportSize({ width: 1280, height: 720 });

  await row("harbour.png").dblclick();
  const preview = page.getByRole("dialog");
  await expect(preview.getByRole("img", { name: "harbour.png" })).toBeVisible();
  await inEveryLook(page, (look) => expectNoViolations(page, `preview, ${look}`));
  await page.setViewportSize({ width: 1280, height: 720 });
  // Sorted by arrival, newest first: the page is before the picture.
  await page.keyboard.press("ArrowLeft");
  await expect(preview.locator("pre")).toHaveText(page1);
  await page.keyboard.press("ArrowLeft");
  await expect(preview.locator("pre")).toHaveText("测试");
  const encoding = preview.getByRole("combobox", { name: "Encoding" });
  await expect(encoding.locator("option:checked")).toHaveText("Detected: Simplified Chinese (GBK, GB18030)");
  await encoding.selectOption("Western European (Windows-1252)");
  await expect(preview.locator("pre")).toHaveText("²âÊÔ");
  await inEveryLook(page, (look) => expectNoViolations(page, `preview of a text, ${look}`));
  await page.setViewportSize({ width: 1280, height: 720 });
  await preview.getByRole("heading").click(); // an arrow key on the list would change the encoding
  await page.keyboard.press("ArrowLeft");
  await expect(preview.getByText("Unsupported file type")).toBeVisible();
  const downloading = page.waitForEvent("download");
  await preview.getByRole("button", { name: "Save" }).click();
  expect((await downloading).suggestedFilename()).toBe("plans.pdf");
  expect(await page.title()).not.toBe("owned");

  await row("plans.pdf").focus();
  await page.keyboard.press("Space");
  await page.keyboard.press("Delete");
  const question = page.getByRole("dialog", { name: "Delete 1 file?" });
  await expect(question).toBeVisible();
  await inEveryLook(page, (look) => expectNoViolations(page, `delete dialog, ${look}`));
  await page.setViewportSize({ width: 1280, height: 720 });
  await question.getByRole("button", { name: "Delete 1 file" }).click();
  await expect(row("plans.pdf")).toHaveCount(0);
  await page.reload();
  await expect(row("page.html")).toBeVisible();
  await expect(row("plans.pdf")).toHaveCount(0);

  await page.getByRole("link", { name: "Chat" }).click();
  await openConversation(page, "Bo");
  await expect(fileCard(page, "plans.pdf")).toContainText("deleted from this browser");
});
