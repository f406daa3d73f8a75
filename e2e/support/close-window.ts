import type { Page } from "@playwright/test";

/** Opens the page that closes its window, and prevents the closing. */
export async function openCloseWindow(page: Page): Promise<void> {
  await page.addInitScript(() => {
    window.close = () => {};
    window.navigation.addEventListener("navigate", (event) => {
      if (event.destination.url === "about:blank") event.preventDefault();
    });
  });
  await page.goto("/close-window");
  await page.getByRole("heading", { name: "You can close this window" }).waitFor();
}
