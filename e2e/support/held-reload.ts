import type { Page } from "@playwright/test";

const scripts = /\/assets\/.*\.js$/;

/**
 * Reloads a page and holds it where the old page is gone and the app of the new one has not begun.
 * @returns lets the app begin, and settles when it has been loaded.
 */
export async function holdReload(page: Page): Promise<() => Promise<void>> {
  let release = (): void => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const held = page.waitForRequest(scripts);
  await page.route(scripts, async (route) => {
    await released;
    await route.continue();
  });
  const reloading = page.reload();
  await held;
  return async () => {
    // The route stays: a request that is on its way while one is taken back can be left without an answer.
    release();
    await reloading;
  };
}
