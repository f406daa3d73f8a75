import { execFileSync } from "node:child_process";

/** What git says, or null where there is no git or nothing to say. */
export function askGit(...args: readonly string[]): string | null {
  try {
    return execFileSync("git", args, { encoding: "utf8", stdio: "pipe" }).trim();
  } catch {
    return null; // built from an archive
  }
}

/**
 * The address of a repository as people open it; "" for one that only some can reach, as a folder or a host by ssh without
 * a page. Names and tokens in it are left out.
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
 * @throws Error with a sentence for one that is none.
 */
export function readBasePath(text = ""): string {
  if (text === "") return "/";
  if (!/^\/(?:(?!\.{1,2}\/)[\w.~-]+\/)*$/.test(text))
    throw new Error(`BASE_PATH must be a path such as /warren/, with a slash at both ends: ${text}`);
  return text;
}

/**
 * The signalling server of pages that come from elsewhere; null where it serves them itself.
 * @throws Error with a sentence for one that is none.
 */
export function readSignallingUrl(text = ""): string | null {
  if (text === "") return null;
  if (!/^wss?:\/\/[^\s#]+$/.test(text) || !URL.canParse(text))
    throw new Error(`VITE_SIGNALLING_URL must be an address such as wss://signal.example.org/ws: ${text}`);
  return text;
}
