import { existsSync } from "node:fs";
import { run } from "./run.mjs";

const debianChromium = "/usr/bin/chromium";

/** The Chromium of the browser tests, or null where there is none: $CHROMIUM_PATH, else Debian's. */
function findChromium() {
  const path = process.env.CHROMIUM_PATH || debianChromium;
  return existsSync(path) ? path : null;
}

/** Installs Debian's Chromium where none is found and this account may; otherwise says what to do. */
export async function ensureChromium() {
  if (findChromium() !== null) return;
  const canInstall = process.getuid?.() === 0 && existsSync("/usr/bin/apt-get");
  if (!canInstall || process.env.CHROMIUM_PATH) {
    console.error(
      "The browser tests need Chromium: install it (Debian: apt-get install chromium) or set CHROMIUM_PATH to one.",
    );
    return;
  }
  console.log("Installing Chromium for the browser tests (once) …");
  const env = { DEBIAN_FRONTEND: "noninteractive" };
  await run("apt-get", ["update", "-q"], env);
  await run("apt-get", ["install", "-q", "-y", "--no-install-recommends", "chromium"], env);
}
