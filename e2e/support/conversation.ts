import type { Locator, Page } from "@playwright/test";
import { expect } from "./fixtures.ts";
import { pressMs } from "./menu.ts";
import { personRow } from "./room.ts";

/** Opens the conversation with a person, or with `Everyone`. */
export async function openConversation(page: Page, name: string): Promise<void> {
  await personRow(page, name).click();
  await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
}

/** The message list of the open conversation. */
export function messageLog(page: Page): Locator {
  return page.getByRole("log");
}

/** The messages of the open conversation that contain a text. */
export function messagesWith(page: Page, text: string): Locator {
  return messageLog(page).getByRole("article").filter({ hasText: text });
}

/** Types a message in the open conversation and sends it with the keyboard. */
export async function sendText(page: Page, text: string): Promise<void> {
  const field = page.getByRole("textbox", { name: "Message" });
  await field.fill(text);
  await field.press("Control+Enter");
  await expect(field).toHaveValue("");
  await expect(messagesWith(page, text)).toHaveCount(1);
}

/** Sends a text from one page, and waits until the other shows it and the first shows it as received. */
export async function deliverText(from: Page, to: Page, text: string): Promise<void> {
  await sendText(from, text);
  await expect(messagesWith(to, text)).toBeVisible();
  await expectReceived(from, text);
}

/** Sends the clipboard with the button for it, which asks the first time. */
export async function sendClipboard(page: Page, answer?: "first time"): Promise<void> {
  await page.getByRole("button", { name: "Send clipboard text" }).click();
  if (answer === undefined) return;
  const question = page.getByRole("alertdialog", { name: /^Send your clipboard/ });
  await question.getByRole("button", { name: "Send", exact: true }).click();
}

/** The clipboard texts in the open conversation that contain `text`. */
export function clipboardTexts(page: Page, text: string): Locator {
  return messagesWith(page, text).filter({ hasText: "Clipboard text" });
}

/** Presses an action of the strip that is shown beside a message while the pointer is over it, or one that a button of it leads to. */
export async function pressAction(message: Locator, action: string): Promise<void> {
  const page = message.page();
  const strip = message.getByRole("toolbar", { name: "Message actions" });
  const open = action.startsWith("React") ? "React" : action === "Reply" ? null : "More actions";
  const panel = open === "React" ? page.getByRole("dialog", { name: "Reactions" }) : page.getByRole("menu");
  const role = open === "More actions" ? "menuitem" : "button";
  const button = (open === null ? strip : panel).getByRole(role, { name: new RegExp(`^${action}`) });
  // Incoming messages may move the message away from the pointer.
  await expect(async () => {
    if (!(await button.isVisible())) {
      await message.hover({ timeout: 5_000 });
      if (open !== null)
        await strip.getByRole("button", { name: open, exact: true }).click({ timeout: 5_000 });
    }
    await button.click({ timeout: pressMs });
  }).toPass();
}

/** Waits for the double tick of a sent message, by its text for screen readers. */
export async function expectReceived(
  page: Page,
  text: string,
  options: { readonly timeout?: number } = {},
): Promise<void> {
  await expect(messagesWith(page, text).getByText("Received", { exact: true })).toBeAttached(options);
}
