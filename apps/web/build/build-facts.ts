import { execFileSync } from "node:child_process";

/** The trimmed output of a git command; null if it fails or is empty. */
export function askGit(...args: readonly string[]): string | null {
  try {
    return execFileSync("git", args, { encoding: "utf8", stdio: "pipe" }).trim();
  } catch {
    return null; // built from an archive
  }
}

/**
 * The web address of a repository; "" if it has none, such as a folder or a private host. User names and
 * tokens are removed.
 */
export function pageOfRepository(remote: string): string {
  const [, host, path] = /^(?:ssh:\/\/)?git@([\w.-]+)[:/](.+)$/.exec(remote) ?? [];
  const address = host === undefined ? remote : `https://${host}/${path}`;
  if (!/^https:\/\//.test(address) || !URL.canParse(address)) return "";
  const { origin, pathname } = new URL(address);
  return origin + pathname.replace(/(?:\.git)?\/?$/, "");
}

/**
 * The path of the app on its host, with a slash at both ends.
 * @throws Error with a sentence if it is invalid.
 */
export function readBasePath(text = ""): string {
  if (text === "") return "/";
  if (!/^\/(?:(?!\.{1,2}\/)[\w.~-]+\/)*$/.test(text))
    throw new Error(`BASE_PATH must be a path such as /warren/, with a slash at both ends: ${text}`);
  return text;
}

/**
 * The signalling server of an app hosted elsewhere; null if the same server provides both.
 * @throws Error with a sentence if it is invalid.
 */
export function readSignallingUrl(text = ""): string | null {
  if (text === "") return null;
  if (!/^wss?:\/\/[^\s#]+$/.test(text) || !URL.canParse(text))
    throw new Error(`VITE_SIGNALLING_URL must be an address such as wss://signal.example.org/ws: ${text}`);
  return text;
}
