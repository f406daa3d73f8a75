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

/** Runs a check at a desktop's and a phone's size, in light and in dark; `look` names which, for messages. */
export async function inEveryLook(page: Page, check: (look: string) => Promise<void>): Promise<void> {
  for (const viewport of viewports) {
    await page.setViewportSize(viewport);
    await inBothThemes(page, (theme) => check(`${theme}, ${viewport.width}×${viewport.height}`));
  }
}

/** Runs a check in light and in dark, at the size the window has: for what differs little from one size to another. */
export async function inBothThemes(page: Page, check: (theme: string) => Promise<void>): Promise<void> {
  for (const colorScheme of colourSchemes) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await check(colorScheme);
  }
}

/** Fails with what axe-core finds wrong on a page. */
export async function expectNoViolations(page: Page, screen: string): Promise<void> {
  // Half a megabyte of code, which stays until the page is loaded anew.
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axeSource);
  // One that is taken back, by a change of the theme for example, is over too.
  await page.evaluate(() =>
    Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => {}))),
  );
  const results: AxeResults = await page.evaluate(
    // No rule that is on reads style sheets, which it would fetch and parse anew each time.
    "axe.run(document, { resultTypes: ['violations'], preload: { assets: ['media'] } })",
  );
  const found = results.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} at ${target.join(" ")}: ${failureSummary ?? ""}`),
  );
  expect.soft(found, screen).toEqual([]);
}

/** Texts in sight without an opaque ground of their own between them and the background picture. */
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
