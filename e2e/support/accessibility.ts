import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "@playwright/test";
import type { AxeResults } from "axe-core";
import { expect } from "./fixtures.ts";

const axeSource = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const viewports = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
];
const colourSchemes = ["light", "dark"] as const;

/** Runs a check at desktop and phone size, in the light and dark themes; `look` names the variant, for messages. */
export async function inEveryLook(page: Page, check: (look: string) => Promise<void>): Promise<void> {
  for (const viewport of viewports) {
    await page.setViewportSize(viewport);
    await inBothThemes(page, (theme) => check(`${theme}, ${viewport.width}×${viewport.height}`));
  }
}

/** Runs a check in both themes at the current window size: for screens that hardly depend on the size. */
export async function inBothThemes(page: Page, check: (theme: string) => Promise<void>): Promise<void> {
  for (const colorScheme of colourSchemes) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await check(colorScheme);
  }
}

/** Fails on violations that axe-core finds on a page. */
export async function expectNoViolations(page: Page, screen: string): Promise<void> {
  // Half a megabyte of code, which stays loaded until the page is reloaded.
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axeSource);
  // Wait for animations; a cancelled one, for example by a theme change, is over too.
  await page.evaluate(() =>
    Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => {}))),
  );
  const results: AxeResults = await page.evaluate(
    // No enabled rule reads style sheets, which axe would fetch and parse again each time.
    "axe.run(document, { resultTypes: ['violations'], preload: { assets: ['media'] } })",
  );
  const found = results.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} at ${target.join(" ")}: ${failureSummary ?? ""}`),
  );
  expect.soft(found, screen).toEqual([]);
}

/** Visible texts without an opaque background of their own above the background picture. */
export function wordsOnPicture(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const element = texts.currentNode.parentElement;
      const text = texts.currentNode.textContent?.trim() ?? "";
      if (element === null || text === "" || !element.checkVisibility()) continue;
      if (element.getBoundingClientRect().width <= 1 || element.closest("script, .sr-only") !== null)
        continue;
      let ground: Element | null = element;
      while (ground !== null && ground !== document.documentElement) {
        if (/^rgb\(/.test(getComputedStyle(ground).backgroundColor)) break;
        ground = ground.parentElement;
      }
      if (ground === document.documentElement) found.push(text);
    }
    return found;
  });
}
