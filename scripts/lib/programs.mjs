import { existsSync } from "node:fs";
import { run } from "./run.mjs";

/**
 * Programs that tests need besides Node: the variable that overrides each, and its path and package on
 * Debian. The headless shell is optional: it only makes tests faster than Chromium.
 */
const programs = {
  redis: { name: "Redis", variable: undefined, path: "/usr/bin/redis-server", debianPackage: "redis-server" },
  openssl: { name: "OpenSSL", variable: undefined, path: "/usr/bin/openssl", debianPackage: "openssl" },
  coturn: { name: "coturn", variable: undefined, path: "/usr/bin/turnserver", debianPackage: "coturn" },
  chromium: {
    name: "Chromium",
    variable: "CHROMIUM_PATH",
    path: "/usr/bin/chromium",
    debianPackage: "chromium",
  },
  chromiumShell: {
    name: "Chromium's headless shell",
    variable: "CHROMIUM_PATH",
    path: "/usr/bin/chromium-headless-shell",
    debianPackage: "chromium-headless-shell",
    isOptional: true,
  },
  firefox: {
    name: "Firefox",
    variable: "FIREFOX_PATH",
    path: "/usr/bin/firefox-esr",
    debianPackage: "firefox-esr",
  },
};

/**
 * Installs missing Debian packages if this account may; otherwise prints instructions.
 * @param {(keyof typeof programs)[]} needed
 */
export async function ensurePrograms(...needed) {
  const chosen = ({ variable = "" }) => process.env[variable];
  const missing = needed.map((key) => programs[key]).filter((one) => !existsSync(chosen(one) || one.path));
  const canInstall = process.getuid?.() === 0 && existsSync("/usr/bin/apt-get");
  const installable = missing.filter((one) => canInstall && !chosen(one));
  for (const one of missing) {
    if (installable.includes(one) || "isOptional" in one) continue;
    const other = one.variable ? ` or set ${one.variable} to one` : "";
    console.error(
      `The tests need ${one.name}: install it (Debian: apt-get install ${one.debianPackage})${other}.`,
    );
  }
  if (installable.length === 0) return;
  console.log(`Installing ${installable.map(({ name }) => name).join(" and ")} for the tests (once) …`);
  const env = { DEBIAN_FRONTEND: "noninteractive" };
  await run("apt-get", ["update", "-q"], env);
  // One by one, so that a package missing from this Debian release does not prevent the others.
  for (const { debianPackage } of installable) {
    await run("apt-get", ["install", "-q", "-y", "--no-install-recommends", debianPackage], env);
  }
}
