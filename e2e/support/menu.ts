import type { Locator } from "@playwright/test";
import { expect } from "./fixtures.ts";

/** A press that is given up may still arrive, and the next would be a second one: as long as a busy page may take. */
export const pressMs = 20_000;

/** Opens the menu of a button and presses one of its items, as often as needed: a page that changes may close the menu. */
export async function chooseFrom(button: Locator, name: string | RegExp): Promise<void> {
  const item = button.page().getByRole("menuitem", { name });
  await expect(async () => {
    if (!(await item.isVisible())) await button.click({ timeout: pressMs });
    await item.click({ timeout: pressMs });
  }).toPass();
}
