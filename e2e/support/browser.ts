import { existsSync } from "node:fs";
import type { LaunchOptions } from "@playwright/test";

const chromium = process.env.CHROMIUM_PATH || "/usr/bin/chromium";

/** How the tests start the system's Chromium: without a sandbox, so that root can, and without traffic of its own. */
export const launchOptions: LaunchOptions = {
  // Where it is missing, Playwright's own message says which browser it looked for.
  ...(existsSync(chromium) ? { executablePath: chromium } : {}),
  args: [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    // A camera that shows a clock and a microphone that beeps: no machine for tests has others.
    "--use-fake-device-for-media-stream",
    `--disable-features=${[
      // Names of mDNS in place of addresses need multicast, which few machines for tests pass on.
      "WebRtcHideLocalIpsWithMdns",
      // Pages of the browser's own in every window, which nobody sees: an eighth of what tests take.
      "WebUIOmniboxPopup",
      "WebUIOmniboxAimPopup",
      "WebUIOmniboxFullPopup",
      "OptimizationHints",
      "MediaRouter",
      "Translate",
    ].join()}`,
  ],
};
