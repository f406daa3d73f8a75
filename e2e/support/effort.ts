import type { Page } from "@playwright/test";

/** Counts a person's effort on a page: clicks, and dialogs that open. */
export async function countEffort(page: Page): Promise<() => Promise<{ clicks: number; dialogs: number }>> {
  await page.addInitScript(() => {
    const effort = { clicks: 0, dialogs: 0 };
    Object.assign(globalThis, { effort });
    const countClick = ({ isTrusted }: Event): void => {
      if (isTrusted) effort.clicks += 1;
    };
    addEventListener("click", countClick, true);
    const isDialog = (node: Node) =>
      node instanceof Element &&
      (node.matches("[role=dialog], [role=alertdialog], dialog") ||
        node.querySelector("[role=dialog], [role=alertdialog], dialog"));
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes) effort.dialogs += [...addedNodes].filter(isDialog).length;
    }).observe(document, { childList: true, subtree: true });
  });
  return () => page.evaluate(() => Reflect.get(globalThis, "effort"));
}
