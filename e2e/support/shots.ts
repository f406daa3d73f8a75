import { fileURLToPath } from "node:url";
import type { Page } from "@playwright/test";
import { findCutOff } from "./cut-off.ts";
import { expect } from "./fixtures.ts";

const folder = fileURLToPath(new URL("../results/shots/", import.meta.url));

const widths = {
  wide: { width: 1440, height: 900 },
  phone: { width: 390, height: 844 },
  tablet: { width: 820, height: 1180 },
  /** What a wide window has left at 200 %. */
  zoomed: { width: 720, height: 450 },
  narrow: { width: 320, height: 640 },
} as const;

/** In light and in dark at the first two widths; the others show where things go, for which one theme will do. */
const looks = [
  ["wide", "light"],
  ["wide", "dark"],
  ["phone", "light"],
  ["phone", "dark"],
  ["tablet", "light"],
  ["zoomed", "light"],
  ["narrow", "light"],
] as const;

/** What a picture is of. */
interface Shot {
  /** At which widths; all of them when absent. */
  readonly at?: readonly (keyof typeof widths)[];
  /** Opens what does not outlive a change of the window, as menus do; Escape closes it. */
  readonly open?: () => Promise<void>;
}

/** Takes pictures of what a page shows in every look, and leaves its window as wide as it was. */
export async function shoot(page: Page, screen: string, { at, open }: Shot = {}): Promise<void> {
  const before = page.viewportSize();
  for (const [width, colorScheme] of looks) {
    if (at?.includes(width) === false) continue;
    await page.setViewportSize(widths[width]);
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await open?.();
    await page.evaluate(() => Promise.all(document.getAnimations().map((animation) => animation.finished)));
    await page.screenshot({ path: `${folder}${screen}-${width}-${colorScheme}.png` });
    expect.soft(await findCutOff(page), `${screen}, ${width}`).toEqual([]);
    if (open) await page.keyboard.press("Escape");
  }
  if (before) await page.setViewportSize(before);
}
