import { existsSync } from "node:fs";
import type { LaunchOptions } from "@playwright/test";

/** Chromium as people have it; if it is missing, Playwright's own message names the browser it looked for. */
const chromium = process.env.CHROMIUM_PATH || "/usr/bin/chromium";

/** The same engine without windows and what belongs to them: a test takes about a fifth less of the processor in it. */
const shell = process.env.CHROMIUM_PATH ? undefined : "/usr/bin/chromium-headless-shell";

/**
 * Launch options of the system's Chromium: without a sandbox, so that root can run it, and without background traffic.
 */
export const launchOptions: LaunchOptions = {
  ...(existsSync(chromium) ? { executablePath: chromium } : {}),
  args: [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    // A camera that shows a clock and a microphone that beeps: test machines have no real ones. Few frames: each is encoded in software.
    "--use-fake-device-for-media-stream=fps=5",
    `--disable-features=${[
      // mDNS names instead of addresses require multicast, which few test machines support.
      "WebRtcHideLocalIpsWithMdns",
      // Processes kept ready, and invisible pages of the browser itself in every window: they cost a sixth of the tests' time.
      "SpareRendererForSitePerProcess",
      "WebUIOmniboxPopup",
      "WebUIOmniboxAimPopup",
      "WebUIOmniboxFullPopup",
      "OptimizationHints",
      "MediaRouter",
      "Translate",
    ].join()}`,
  ],
};

/**
 * Launch options for tests that need no window: Chromium's headless shell where it is installed. All of its
 * pages have the focus, and its fake microphone and camera give nothing: tests of these use {@link launchOptions}.
 */
export const shellOptions: LaunchOptions = {
  ...launchOptions,
  ...(shell !== undefined && existsSync(shell) ? { executablePath: shell } : {}),
};
