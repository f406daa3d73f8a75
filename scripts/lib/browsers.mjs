import { existsSync } from "node:fs";
import { run } from "./run.mjs";

/** The browsers of the tests: the variable that names another one, and where and in which package Debian has it. */
const browsers = [
  { name: "Chromium", variable: "CHROMIUM_PATH", path: "/usr/bin/chromium", debianPackage: "chromium" },
  { name: "Firefox", variable: "FIREFOX_PATH", path: "/usr/bin/firefox-esr", debianPackage: "firefox-esr" },
];

/** Installs Debian's browsers where they are missing and this account may; otherwise says what to do. */
export async function ensureBrowsers() {
  const missing = browsers.filter(({ variable, path }) => !existsSync(process.env[variable] || path));
  const canInstall = process.getuid?.() === 0 && existsSync("/usr/bin/apt-get");
  const installable = missing.filter(({ variable }) => canInstall && !process.env[variable]);
  for (const { name, variable, debianPackage } of missing) {
    if (installable.some((browser) => browser.name === name)) continue;
    console.error(
      `The browser tests need ${name}: install it (Debian: apt-get install ${debianPackage}) or set ${variable} to one.`,
    );
  }
  if (installable.length === 0) return;
  console.log(
    `Installing ${installable.map(({ name }) => name).join(" and ")} for the browser tests (once) …`,
  );
  const env = { DEBIAN_FRONTEND: "noninteractive" };
  await run("apt-get", ["update", "-q"], env);
  const packages = installable.map(({ debianPackage }) => debianPackage);
  await run("apt-get", ["install", "-q", "-y", "--no-install-recommends", ...packages], env);
}
