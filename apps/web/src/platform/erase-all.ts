import { clearCaches } from "./clear-caches.ts";

/** For browsers that do not list their databases. */
const knownDatabases = ["warren-identity", "warren-messages", "warren-files", "warren-shared"];
const blockedTimeoutMs = 5_000;

/**
 * Deletes everything this app stores in the browser: databases, files, caches, service workers and both
 * storages. Call it before anything is opened.
 * @returns `partly` if another tab, or the browser, prevented a part.
 */
export async function eraseAll(): Promise<"done" | "partly"> {
  const results = await Promise.allSettled([eraseDatabases(), eraseFiles(), clearCaches()]);
  for (const area of [() => localStorage, () => sessionStorage]) {
    try {
      area().clear();
    } catch {
      // A denied storage area is empty.
    }
  }
  return results.every(({ status }) => status === "fulfilled") ? "done" : "partly";
}

async function eraseDatabases(): Promise<void> {
  // Missing in Firefox before 126, although the types declare it.
  const listed: readonly IDBDatabaseInfo[] = (await indexedDB.databases?.()) ?? [];
  const names = new Set([...knownDatabases, ...listed.flatMap(({ name }) => name ?? [])]);
  await Promise.all([...names].map(eraseDatabase));
}

function eraseDatabase(name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.deleteDatabase(name);
    request.onsuccess = () => resolve();
    request.onerror = () => reject(request.error);
    // Other tabs are asked to close theirs; a sleeping one does not.
    request.onblocked = () => setTimeout(() => reject(new Error(`${name} is in use`)), blockedTimeoutMs);
  });
}

async function eraseFiles(): Promise<void> {
  // Missing outside secure contexts, although the types declare it.
  const storage: Partial<StorageManager> | undefined = navigator.storage;
  const root = await storage?.getDirectory?.();
  if (!root) return;
  const names: string[] = [];
  for await (const name of root.keys()) names.push(name);
  await Promise.all(names.map((name) => root.removeEntry(name, { recursive: true })));
}
