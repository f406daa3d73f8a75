import type { Page } from "@playwright/test";

/** Elements of a page that can only have come from text interpreted as markup. */
export function strangers(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const suspects = document.querySelectorAll(
      "iframe, object, embed, base, form[action], script:not([src], [type='application/json']), style:not([data-vite-dev-id]), [onload], [onerror], [onmouseover], img[src='x']",
    );
    const links = [...document.querySelectorAll("a[href]")].filter(
      (link) => link instanceof HTMLAnchorElement && !/^https?:$/.test(link.protocol),
    );
    return [...suspects, ...links].map(({ outerHTML }) => outerHTML);
  });
}
