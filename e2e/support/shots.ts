import { fileURLToPath } from "node:url";
import type { Page } from "@playwright/test";
import { findCutOff } from "./cut-off.ts";
import { expect } from "./fixtures.ts";

/** Not in `results`, which every run of the tests empties. */
export const folder = fileURLToPath(new URL("../shots/results/", import.meta.url));

const widths = {
  wide: { width: 1440, height: 900 },
  phone: { width: 390, height: 844 },
  tablet: { width: 820, height: 1180 },
  /** The remaining viewport of a wide window at 200 % zoom. */
  zoomed: { width: 720, height: 450 },
  narrow: { width: 320, height: 640 },
} as const;

/** Light and dark at the first two widths, also with forced colours; the others only show the layout, for which one theme is enough. */
const looks: readonly (readonly [keyof typeof widths, "light" | "dark", "forced"?])[] = [
  ["wide", "light"],
  ["wide", "dark"],
  ["phone", "light"],
  ["phone", "dark"],
  ["wide", "light", "forced"],
  ["phone", "dark", "forced"],
  ["tablet", "light"],
  ["zoomed", "light"],
  ["narrow", "light"],
];

/** The options of a screenshot. */
interface Shot {
  /** The widths to use; all by default. */
  readonly at?: readonly (keyof typeof widths)[];
  /** Opens elements that close when the window is resized, such as menus; Escape closes them. */
  readonly open?: () => Promise<void>;
}

/** Takes screenshots of a page in every look, and restores its window size. */
export async function shoot(page: Page, screen: string, { at, open }: Shot = {}): Promise<void> {
  const before = page.viewportSize();
  for (const [width, colorScheme, forced] of looks) {
    if (at?.includes(width) === false) continue;
    await page.setViewportSize(widths[width]);
    await page.emulateMedia({
      colorScheme,
      reducedMotion: "reduce",
      forcedColors: forced === undefined ? "none" : "active",
    });
    await open?.();
    await page.evaluate(() => Promise.all(document.getAnimations().map((animation) => animation.finished)));
    await page.screenshot({
      path: `${folder}${[screen, width, colorScheme, forced].filter(Boolean).join("-")}.png`,
    });
    expect.soft(await findCutOff(page), `${screen}, ${width}`).toEqual([]);
    if (open) await page.keyboard.press("Escape");
  }
  if (before) await page.setViewportSize(before);
}
