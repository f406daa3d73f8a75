import type { Page } from "@playwright/test";
import { expect } from "./fixtures.ts";

/** The sections of the settings: the fragment of their address, and their title. */
export const settingsSections = [
  ["appearance", "Appearance"],
  ["connection", "Connection"],
  ["sender", "File Sender"],
  ["receiver", "File Receiver"],
  ["media", "Media"],
  ["about", "About"],
  ["advanced", "Advanced"],
] as const;

/** Opens a section of the settings by its address. */
export async function openSection(page: Page, section: string, title: string): Promise<void> {
  await page.goto(`/setting#${section}`);
  await expect(page.getByRole("heading", { level: 1, name: title })).toBeVisible();
}
