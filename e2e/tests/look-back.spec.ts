import type { Page } from "@playwright/test";
import { expectNoViolations, inEveryLook } from "../support/accessibility.ts";
import { launchOptions } from "../support/browser.ts";
import {
  clipboardTexts,
  deliverText,
  messagesWith,
  openConversation,
  sendClipboard,
  sendText,
} from "../support/conversation.ts";
import { expect, test } from "../support/fixtures.ts";
import { clientIdOf, writeHistory } from "../support/history.ts";
import { dismiss, expectOnline, meet, personRow } from "../support/room.ts";

// In the shell every page has the focus.
test.use({ launchOptions });

test("a search in a long conversation moves between matches, and back to the latest message", async ({
  newPerson,
  room,
}) => {
  const ada = await newPerson({ name: "Ada" });
  const bo = await newPerson({ name: "Bo" });
  await meet([ada, bo], { room });
  await writeHistory(ada.page, await clientIdOf(bo.page), 2_000);
  await ada.page.goto(`/client/${await clientIdOf(bo.page)}/chat`);
  await expect(messagesWith(ada.page, "message 1999.")).toBeInViewport();
  const { page } = ada;

  await page.keyboard.press("Control+f");
  const field = page.getByRole("searchbox", { name: "Search in this conversation" });
  await field.fill("1000. MÉSSAGE");
  await expect(page.getByText("1 of 1", { exact: true })).toBeVisible();
  const marks = messagesWith(page, "message 1000.").locator("mark");
  await expect(marks).toHaveText(["message", "1000."]);
  await expect(marks.first()).toBeInViewport();
  await inEveryLook(page, (look) => expectNoViolations(page, `search, ${look}`));
  await field.fill("message 19");
  await expect(page.getByText("139 of 139", { exact: true })).toBeVisible();
  await field.press("Enter");
  await expect(page.getByText("138 of 139", { exact: true })).toBeVisible();
  await expect(messagesWith(page, "message 1998.")).toBeInViewport();
  await field.press("Escape");
  await expect(field).toHaveCount(0);
});

/**
 * Puts another page in front and gives it the focus, as for a real user: by default tests give all pages the
 * focus.
 */
async function putBehind(page: Page): Promise<{ bringBack(): Promise<void> }> {
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setFocusEmulationEnabled", { enabled: false });
  const other = await page.context().newPage();
  await other.bringToFront();
  await expect.poll(() => page.evaluate(() => document.hasFocus())).toBe(false);
  return {
    async bringBack() {
      await page.bringToFront();
      await other.close();
    },
  };
}

test("clipboard texts wait until the page has the focus, and remain available for copying", async ({
  newPerson,
  room,
}) => {
  const ada = await newPerson({ name: "Ada" });
  const bo = await newPerson({ name: "Bo" });
  await meet([ada, bo], { room });
  await deliverText(ada.page, bo.page, "Ready?");
  // Pages may write to the clipboard only while focused, so focus is switched explicitly.
  await ada.page.bringToFront();
  await ada.page.getByRole("button", { name: "About Bo" }).click();
  const info = ada.page.getByRole("dialog", { name: "Bo" });
  await info.getByRole("switch", { name: "Let Bo set my clipboard" }).click();
  await dismiss(info);
  // Record the clipboard writes in order.
  await ada.page.evaluate(() => {
    const written: string[] = [];
    Reflect.set(globalThis, "written", written);
    const write = navigator.clipboard.writeText.bind(navigator.clipboard);
    navigator.clipboard.writeText = (text) => write(text).then(() => void written.push(text));
  });
  const written = () => ada.page.evaluate(() => Reflect.get(globalThis, "written"));
  const texts = ["npm ci", "npm test", "npm start"];
  const behind = await putBehind(ada.page);
  for (const text of texts) {
    await bo.page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
    await sendClipboard(bo.page, text === "npm ci" ? "first time" : undefined);
    await expect(clipboardTexts(ada.page, text)).toBeVisible();
    // More than one per second are shown, but not written.
    const sentAt = Date.now();
    await expect.poll(() => Date.now() - sentAt).toBeGreaterThan(1_000);
  }
  expect(await written()).toEqual([]);
  await behind.bringBack();
  await expect.poll(written).toEqual(texts);
  expect(await ada.page.evaluate(() => navigator.clipboard.readText())).toBe("npm start");

  // The tooltip of the menu's button is not part of the page.
  await ada.page.getByRole("heading", { level: 1, name: "Bo" }).click();
  await expect(ada.page.getByRole("tooltip")).toHaveCount(0);
  await inEveryLook(ada.page, (look) => expectNoViolations(ada.page, `clipboard texts, ${look}`));
  await ada.page.setViewportSize({ width: 1440, height: 900 });
  // They are messages: a reload keeps them, unread ones are counted.
  await openConversation(ada.page, "Everyone");
  await ada.page.reload();
  await openConversation(ada.page, "Everyone");
  // A clipboard text is sent once and not kept. Bo's page may show Ada as she was before, until it has a text from her new page.
  await expectOnline(ada.page, "Bo");
  await sendText(ada.page, "Back again");
  await expect(personRow(bo.page, "Everyone")).toContainText("Back again");
  await sendClipboard(bo.page);
  await expect(personRow(ada.page, "Bo")).toContainText("1 unread message");
  await openConversation(ada.page, "Bo");
  await clipboardTexts(ada.page, "npm test").getByRole("button", { name: "Copy" }).click();
  await expect(ada.page.getByText("Copy success")).toBeVisible();

  await ada.page.getByRole("heading", { level: 1, name: "Bo" }).click();
  await ada.page.evaluate(
    () => document.activeElement instanceof HTMLElement && document.activeElement.blur(),
  );
  await ada.page.keyboard.press("?");
  await expect(ada.page.getByRole("dialog", { name: "Keyboard shortcuts" })).toBeVisible();
  await inEveryLook(ada.page, (look) => expectNoViolations(ada.page, `shortcuts, ${look}`));
});
