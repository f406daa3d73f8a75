import { fileURLToPath } from "node:url";
import type { Page } from "@playwright/test";
import { inEveryLook } from "./accessibility.ts";

const folder = fileURLToPath(new URL("../results/shots/", import.meta.url));

/** Takes a picture of what a page shows: at a desktop's and a phone's size, in light and in dark. */
export async function shoot(page: Page, screen: string): Promise<void> {
  await inEveryLook(page, async (look) => {
    await page.evaluate(() => Promise.all(document.getAnimations().map((animation) => animation.finished)));
    await page.screenshot({ path: `${folder}${screen}-${look.replaceAll(/\W+/g, "-")}.png` });
  });
}
