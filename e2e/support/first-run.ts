import type { BrowserContext } from "@playwright/test";

/** Lets pages open as from the second visit on, without the first-run dialog. */
export async function skipFirstRun(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    // A blank page keeps nothing.
    if (location.origin !== "null") localStorage.setItem("app_initialized", "true");
  });
}
