import type { Page } from "@playwright/test";
import { expect } from "./fixtures.ts";

/** The sections of the settings: the fragment of their address and their title. */
export const settingsSections = [
  ["appearance", "Appearance"],
  ["connection", "Connection"],
  ["sender", "File Sender"],
  ["receiver", "File Receiver"],
  ["notifications", "Notifications"],
  ["media", "Media"],
  ["about", "About"],
  ["advanced", "Advanced"],
] as const;

/** Opens the confirmation of a settings import, with every kind of notice it can show. */
export async function openImport(page: Page): Promise<void> {
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Import settings" }).click();
  const turn = { authMethod: "longterm", url: "turn:turn.example.org:3478", username: "u", password: "" };
  const options = {
    compressionLevel: 3,
    ordered: true,
    enterSends: true,
    chunkSize: "large",
    servers: { stuns: ["stun:stun.example.org:3478"], turns: [turn] },
  };
  await (await chooser).setFiles({
    name: "settings.json",
    mimeType: "application/json",
    buffer: Buffer.from(JSON.stringify({ kind: "warren-settings", version: 1, options })),
  });
  await expect(page.getByRole("dialog", { name: "Import settings?" })).toBeVisible();
}

/** Opens a section of the settings by its address. */
export async function openSection(page: Page, section: string, title: string): Promise<void> {
  await page.goto(`/setting#${section}`);
  await expect(page.getByRole("heading", { level: 1, name: title })).toBeVisible();
}

/** Opens what a section keeps folded at its end. */
export async function unfold(page: Page, title: string): Promise<void> {
  await page.getByRole("button", { name: title, exact: true, expanded: false }).click();
}
