import type { Page } from "@playwright/test";

const scripts = /\/assets\/.*\.js$/;

/**
 * Reloads a page, stopping after the old page is gone and before the new app starts.
 * @returns a function that lets the app start, and resolves when it has loaded.
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
    // Keep the route: a request in progress while a route is removed may never be answered.
    release();
    await reloading;
  };
}
