import type { Page } from "@playwright/test";
import { expect } from "./fixtures.ts";

/** Waits until the service worker of a page is active: from then on the app opens without the server. */
export async function untilActive(page: Page): Promise<void> {
  const state = async () => (await navigator.serviceWorker.getRegistration())?.active?.state;
  // A new version may replace the page meanwhile. The worker fetches the whole app first.
  const stateOf = () => page.evaluate(state).catch(() => null);
  await expect.poll(stateOf, { timeout: 30_000 }).toBe("activated");
}
