import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { LaunchOptions } from "@playwright/test";

/** The system's Chromium; if it is missing, Playwright's error names the browser it looked for. */
const chromium = process.env.CHROMIUM_PATH || "/usr/bin/chromium";

/** The same engine without windows: a test takes about a fifth less CPU time with it. */
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
    // A camera that shows a clock and a microphone that beeps: test machines have no real ones. A low frame
    // rate, because each frame is encoded in software.
    "--use-fake-device-for-media-stream=fps=5",
    `--disable-features=${[
      // mDNS names instead of addresses require multicast, which few test machines support.
      "WebRtcHideLocalIpsWithMdns",
      // Spare processes, and hidden pages of the browser itself in every window: they cost a sixth of the
      // tests' time.
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
 * Launch options for tests that need no window: Chromium's headless shell if installed. All of its pages have
 * the focus, and its fake microphone and camera produce nothing: tests of these use {@link launchOptions}.
 */
export const shellOptions: LaunchOptions = {
  ...launchOptions,
  ...(shell !== undefined && existsSync(shell) ? { executablePath: shell } : {}),
};

/** Launch options for tests about files that may not be read: permissions bind this browser, although root runs the tests. */
export const boundOptions: LaunchOptions =
  process.getuid?.() === 0 && shellOptions.executablePath !== undefined
    ? {
        ...shellOptions,
        executablePath: fileURLToPath(new URL("bound-by-permissions.sh", import.meta.url)),
        env: { ...process.env, BOUND_BROWSER: shellOptions.executablePath },
      }
    : shellOptions;
