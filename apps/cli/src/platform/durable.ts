import { open } from "node:fs/promises";

/** A disk that is told of many at once writes them in fewer steps. */
const togetherMax = 32;

/** Makes the content of files outlast a loss of power. */
export function flushFiles(paths: Iterable<string>): Promise<void> {
  return flushAll(paths, "r+");
}

/** Makes the names in folders outlast a loss of power. Windows does so by itself, and lets nobody ask for it. */
export async function flushFolders(paths: Iterable<string>): Promise<void> {
  if (process.platform !== "win32") await flushAll(paths, "r");
}

async function flushAll(paths: Iterable<string>, flags: "r" | "r+"): Promise<void> {
  const left = [...new Set(paths)];
  const flush = async () => {
    for (let path = left.pop(); path !== undefined; path = left.pop()) {
      const file = await open(path, flags);
      await file.sync().finally(() => file.close());
    }
  };
  await Promise.all(Array.from({ length: togetherMax }, flush));
}
