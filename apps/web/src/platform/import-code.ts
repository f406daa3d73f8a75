import { WarrenError } from "@warren/protocol";

/** Files fetched or being fetched, by address. */
const arrivals = new Map<string, Promise<void>>();

/**
 * Fetches one of the app's files once, so that the browser caches it. Rejects if it cannot be fetched, with
 * `http-error` if the server has no such file; the next call retries.
 */
export function fetchCode(address: string): Promise<void> {
  const arrival = arrivals.get(address) ?? fetchOnce(address);
  arrivals.set(address, arrival);
  return arrival;
}

async function fetchOnce(address: string): Promise<void> {
  try {
    const response = await fetch(address);
    if (!response.ok) throw new WarrenError("http-error", { code: response.status });
    await response.arrayBuffer(); // a response that is not read to its end is not cached
  } catch (failure) {
    arrivals.delete(address);
    throw failure;
  }
}

/** Whether the page itself preloads a file. */
function isLinked(file: string): boolean {
  return document.querySelector(`link[href="${new URL(file).pathname}"]`) !== null;
}

/**
 * Imports code only after all its files have arrived: most browsers remember a failed import, of the code and
 * of everything it imports, for the lifetime of the page, and no later import succeeds. A fetch can be
 * retried.
 *
 * The build wraps every `import()` of the app in it (see `importAfterFetch` in vite.config.ts).
 * @param importIt contains the `import()`; its source names the file, but none without a build.
 * @param needed the files that this one imports, relative to the app.
 */
export async function importCode<Module>(
  importIt: () => Promise<Module>,
  needed: readonly string[] = [],
): Promise<Module> {
  const [, own] = /import\(\s*["'`](\.\/[^"'`]+)/.exec(String(importIt)) ?? [];
  const files = needed.map((file) => new URL(import.meta.env.BASE_URL + file, location.origin).href);
  // All code is in one folder.
  if (own !== undefined) files.push(new URL(own, import.meta.url).href);
  // The page preloads its first files.
  await Promise.all(files.filter((file) => !isLinked(file)).map(fetchCode));
  return importIt();
}
