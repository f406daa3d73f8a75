import type { Locator, Page } from "@playwright/test";
import { expect } from "./fixtures.ts";
import { personRow } from "./room.ts";

/** Opens the conversation with somebody, or with `Everyone`. */
export async function openConversation(page: Page, name: string): Promise<void> {
  await personRow(page, name).click();
  await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
}

/** Everything said in the conversation on the screen. */
export function messageLog(page: Page): Locator {
  return page.getByRole("log");
}

/** The messages on the screen that hold a text. */
export function messagesWith(page: Page, text: string): Locator {
  return messageLog(page).getByRole("article").filter({ hasText: text });
}

/** Writes a message in the conversation on the screen and sends it by keyboard. */
export async function say(page: Page, text: string): Promise<void> {
  const field = page.getByRole("textbox", { name: "Message" });
  await field.fill(text);
  await field.press("Control+Enter");
  await expect(field).toHaveValue("");
  await expect(messagesWith(page, text)).toHaveCount(1);
}

/** Says a text at one page and waits until it stands at the other, and is marked as received at the first. */
export async function pass(from: Page, to: Page, text: string): Promise<void> {
  await say(from, text);
  await expect(messagesWith(to, text)).toBeVisible();
  await expectReceived(from, text);
}

/** Presses one of the actions that stand beside a message of the conversation on the screen while the pointer is on it. */
export async function pressAction(message: Locator, action: string): Promise<void> {
  const strip = message.getByRole("toolbar", { name: "Message actions" });
  // What comes meanwhile moves the message away from under the pointer.
  await expect(async () => {
    await message.hover();
    await strip.getByRole("button", { name: action }).click({ timeout: 5_000 });
  }).toPass();
}

/** Waits for the double tick of a message of mine, by the words it has for screen readers. */
export async function expectReceived(page: Page, text: string): Promise<void> {
  await expect(messagesWith(page, text).getByText("Received", { exact: true })).toBeAttached();
}
