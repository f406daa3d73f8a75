import type { Locator } from "@playwright/test";
import { expect } from "./fixtures.ts";

/** Opens the menu of a button and presses one of its items, as often as needed: a page that changes may close the menu. */
export async function chooseFrom(button: Locator, name: string | RegExp): Promise<void> {
  const item = button.page().getByRole("menuitem", { name });
  await expect(async () => {
    if (!(await item.isVisible())) await button.click({ timeout: 5_000 });
    await item.click({ timeout: 5_000 });
  }).toPass();
}
