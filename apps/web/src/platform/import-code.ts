import { WarrenError } from "@warren/protocol";

/** Files fetched or being fetched, by address. */
const arrivals = new Map<string, Promise<void>>();

/**
 * Fetches one of the app's files once, so that the browser caches it. Rejects when it cannot be fetched, with `http-error`
 * when the server has no such file; the next call tries again.
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
    await response.arrayBuffer(); // what was not read to its end is not kept
  } catch (failure) {
    arrivals.delete(address);
    throw failure;
  }
}

/** Whether the page itself asks for a file from the start. */
function isLinked(file: string): boolean {
  return document.querySelector(`link[href="${new URL(file).pathname}"]`) !== null;
}

/**
 * Imports code only after everything it consists of has arrived: an import that fails is remembered by most browsers for
 * as long as the page lives, in the code itself and in all it stands on, and no later import gets past that. A fetch can
 * be asked for again and again.
 *
 * The build puts it round every `import()` of the app (see `importAfterFetch` in vite.config.ts).
 * @param importIt holds the `import()`; its own text says which file that is, and no file where nothing was built.
 * @param needed the files that this one stands on, from where the app is.
 */
export async function importCode<Module>(
  importIt: () => Promise<Module>,
  needed: readonly string[] = [],
): Promise<Module> {
  const [, own] = /import\(\s*["'`](\.\/[^"'`]+)/.exec(String(importIt)) ?? [];
  const files = needed.map((file) => new URL(import.meta.env.BASE_URL + file, location.origin).href);
  // All code lies in one folder.
  if (own !== undefined) files.push(new URL(own, import.meta.url).href);
  // The page preloads its first files.
  await Promise.all(files.filter((file) => !isLinked(file)).map(fetchCode));
  return importIt();
}
