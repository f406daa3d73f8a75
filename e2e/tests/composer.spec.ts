import type { Locator, Page } from "@playwright/test";
import { clipboardTexts, messagesWith, pressAction, sendClipboard } from "../support/conversation.ts";
import { fileCard } from "../support/files.ts";
import { expect, test } from "../support/fixtures.ts";
import { chooseFrom } from "../support/menu.ts";
import { expectOnline, meet, personRow } from "../support/room.ts";

const composer = (page: Page) => page.getByRole("textbox", { name: "Message" });

/** Removes the focus from all fields, as a click on the conversation does. */
const leaveFields = (page: Page) =>
  page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur());

test("pasted text is confirmed or stays in the composer, a picture is copied back, and Enter sends once enabled", async ({
  newPerson,
  room,
}) => {
  const ada = await newPerson({ name: "Ada" });
  const bo = await newPerson({ name: "Bo" });
  await meet([ada, bo], { room });
  const { page } = ada;
  await page.bringToFront();
  await expect(page.getByRole("heading", { level: 1, name: "Bo" })).toBeVisible();

  await page.evaluate(() => navigator.clipboard.writeText("npm start"));
  await leaveFields(page);
  await page.keyboard.press("Control+V");
  const question = page.getByRole("alertdialog", { name: "Send your clipboard to Bo?" });
  await expect(question).toContainText("npm start");
  await page.keyboard.press("Enter");
  await expect(question).toBeHidden();
  await expect(clipboardTexts(bo.page, "npm start")).toBeVisible();

  await page.evaluate(async () => {
    const canvas = Object.assign(document.createElement("canvas"), { width: 40, height: 30 });
    canvas.getContext("2d")?.fillRect(0, 0, 20, 30);
    const png = new Promise<Blob | null>((resolve) => canvas.toBlob(resolve));
    await navigator.clipboard.write([new ClipboardItem({ "image/png": png.then((blob) => blob ?? "") })]);
  });
  await leaveFields(page);
  await page.keyboard.press("Control+V");
  await expect(page.getByRole("list", { name: "Attachments" })).toContainText("image.png");
  await expect(composer(page)).toBeFocused();
  await page.keyboard.type("As it looks today");
  await expect(fileCard(bo.page, "image.png")).toHaveCount(0);
  await page.keyboard.press("Control+Enter");
  await expect(messagesWith(bo.page, "As it looks today")).toBeVisible();
  await bo.page.getByRole("button", { name: "Show picture: image.png" }).click();
  await expect(fileCard(bo.page, "image.png").getByRole("button", { name: /^Preview:/ })).toBeVisible();
  await bo.page.bringToFront();
  await pressAction(fileCard(bo.page, "image.png"), "Copy picture");
  await expect(bo.page.getByText("Picture copied")).toBeVisible();
  const copied = () =>
    bo.page.evaluate(async () => (await navigator.clipboard.read()).map(({ types }) => types));
  expect(await copied()).toEqual([["image/png"]]);
  await page.bringToFront();

  // The file input that is used without the File System Access API.
  await page.evaluate(() => Reflect.deleteProperty(window, "showOpenFilePicker"));
  const choosing = page.waitForEvent("filechooser");
  await chooseFrom(page.getByRole("button", { name: /^Send files.* clipboard/ }), "Files");
  const chooser = await choosing;
  await personRow(page, "Everyone").click();
  await expect(page.getByRole("heading", { level: 1, name: "Everyone" })).toBeVisible();
  await chooser.setFiles({ name: "tides.txt", mimeType: "text/plain", buffer: Buffer.from("High at nine") });
  await expect(fileCard(bo.page, "tides.txt")).toBeVisible();

  await composer(page).fill("Low at three");
  await composer(page).press("Enter");
  await expect(page.getByText("Enter again sends · Shift Enter for a new line")).toBeVisible();
  await composer(page).press("Enter");
  await expect(messagesWith(page, "Low at three")).toBeVisible();
  await page.reload();
  await expectOnline(page, "Bo");
  await composer(page).fill("High again at ten");
  await composer(page).press("Enter");
  await expect(messagesWith(page, "High again at ten")).toBeVisible();
});

test("toasts have their size and distance, do not cover the newest message, and are dismissed by dragging", async ({
  newPerson,
  room,
}) => {
  const ada = await newPerson({ name: "Ada" });
  const bo = await newPerson({ name: "Bo" });
  await meet([ada, bo], { room });
  const { page } = ada;
  await page.bringToFront();
  await page.setViewportSize({ width: 1280, height: 600 });
  await composer(page).fill("one of many lines\n".repeat(30));
  await composer(page).press("Control+Enter");
  const newest = messagesWith(page, "one of many lines");
  await expect(newest).toBeVisible();

  // The toast for the copied link would be counted, and stays while hovered.
  await page.mouse.move(0, 0);
  await expect(page.locator("[data-toast]")).toHaveCount(0);
  await page.evaluate(() => navigator.clipboard.writeText(""));
  const send = page.getByRole("button", { name: "Send clipboard text" });
  const toasts = page.locator("[data-toast]:visible");
  // Hovering keeps them open, so the pointer stays on the first while the keyboard adds the others.
  await send.click();
  await toasts.first().hover();
  for (let press = 0; press < 3; press++) await send.press("Enter");
  await expect(page.locator("[data-toast]")).toHaveCount(4);
  await expect(toasts).toHaveCount(3);
  await toasts.first().hover();
  const boxes = async () => Promise.all((await toasts.all()).map(boxOf));
  // After their animation.
  await expect
    .poll(async () => {
      const [a, b, c] = (await boxes()).sort((one, other) => one.y - other.y);
      return a && b && c && [b.y - a.y - a.height, c.y - b.y - b.height, a.width].map(Math.round);
    })
    .toEqual([14, 14, 356]);
  await expect
    .poll(async () => {
      const end = await boxOf(newest);
      return Math.min(...(await boxes()).map(({ y }) => y)) - (end.y + end.height);
    })
    .toBeGreaterThanOrEqual(0);

  const whenIdle = await boxOf(toasts.first());
  await drag(page, toasts.first(), 19);
  await expect(page.locator("[data-toast]")).toHaveCount(4);
  // Back at its original position.
  await expect.poll(() => boxOf(toasts.first())).toEqual(whenIdle);
  await drag(page, toasts.first(), 20);
  await expect(page.locator("[data-toast]")).toHaveCount(3);
});

test("every mixture on the clipboard is pasted whole, or what is left out is offered", async ({
  newPerson,
  room,
}) => {
  const ada = await newPerson({ name: "Ada" });
  const bo = await newPerson({ name: "Bo" });
  await meet([ada, bo], { room });
  const { page } = ada;
  await page.bringToFront();
  const attachments = page.getByRole("list", { name: "Attachments" });
  const question = page.getByRole("alertdialog", { name: "Send your clipboard to Bo?" });
  const table = { "text/plain": "Apples\t3", "text/html": "<table><tr><td>Apples<td>3</table>" };
  const tableWithPicture = { ...table, "image/png": "" };
  const captioned = { "text/plain": "a caption of one line", "image/png": "" };
  const markup = {
    "text/html": "<p>only <b>markup</b></p>",
  };
  const long = { "text/plain": "word ".repeat(61_440) };

  await composer(page).focus();
  await copy(page, captioned);
  await page.keyboard.press("Control+V");
  await expect(composer(page)).toHaveValue("a caption of one line");
  await expect(attachments).toContainText("image.png");
  await page.getByRole("button", { name: "Remove image.png" }).click();

  await composer(page).fill("");
  await copy(page, tableWithPicture);
  await page.keyboard.press("Control+V");
  await expect(composer(page)).toHaveValue("Apples\t3");
  await expect(attachments).toBeHidden();
  await page.getByRole("button", { name: "Attach", exact: true }).click();
  await expect(attachments).toContainText("image.png");
  await page.getByRole("button", { name: "Remove image.png" }).click();

  await composer(page).fill("");
  await copy(page, markup);
  await page.keyboard.press("Control+V");
  await expect(composer(page)).toHaveValue("only markup");

  // As other apps may write it; browsers clean what pages copy.
  await composer(page).fill("");
  await composer(page).evaluate((field) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/html", "one <img src=//a.example>two<script>alert(1)</script>");
    field.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  });
  await expect(composer(page)).toHaveValue("one two");

  await composer(page).fill("");
  await copy(page, long);
  await page.keyboard.press("Control+V");
  await expect(page.getByRole("button", { name: "Send as file" })).toBeVisible();

  await composer(page).fill("");
  await copy(page, markup);
  await leaveFields(page);
  await page.keyboard.press("Control+V");
  await expect(question).toContainText("only markup");
  await page.keyboard.press("Escape");

  await copy(page, captioned);
  await sendClipboard(page);
  await expect(composer(page)).toHaveValue("a caption of one line");
  await expect(attachments).toContainText("image.png");
  await page.getByRole("button", { name: "Remove image.png" }).click();

  await composer(page).fill("");
  await copy(page, markup);
  await sendClipboard(page, "first time");
  await expect(clipboardTexts(bo.page, "only markup")).toBeVisible();
  await copy(page, long);
  await sendClipboard(page);
  await expect(page.getByRole("button", { name: "Send as file" })).toBeVisible();
});

/** Puts texts by their type on the clipboard, and a picture as image/png. */
async function copy(page: Page, content: Readonly<Record<string, string>>): Promise<void> {
  await page.evaluate(async (texts) => {
    const canvas = new OffscreenCanvas(120, 60);
    canvas.getContext("2d")?.fillRect(0, 0, 60, 60);
    const png = await canvas.convertToBlob();
    const blobs = Object.entries(texts).map(([type, text]) => [
      type,
      type === "image/png" ? png : new Blob([text], { type }),
    ]);
    await navigator.clipboard.write([new ClipboardItem(Object.fromEntries(blobs))]);
  }, content);
}

async function boxOf(element: Locator) {
  return (await element.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
}

/** Drags an element to the right, slower than a flick. */
async function drag(page: Page, element: Locator, byPx: number): Promise<void> {
  const { x, y } = await boxOf(element);
  const from = { x: x + 60, y: y + 20 };
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  for (let px = 1; px <= byPx; px++) {
    await page.mouse.move(from.x + px, from.y);
    // The duration of a drag distinguishes it from a flick.
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 15)));
  }
  await page.mouse.up();
}
