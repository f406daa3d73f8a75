import { settledInTime, systemClock } from "@warren/core";
import { stopRegistering } from "../register-service-worker.ts";
import { requestErasing, requestMemoryOnly } from "./next-load.ts";

/** How long a service worker may take to finish its requests. */
const timeoutMs = 10_000;
/** For browsers that do not list their databases. */
const knownDatabases = ["warren-identity", "warren-messages", "warren-files", "warren-shared"];
const blockedTimeoutMs = 5_000;

/** Missing outside secure contexts, although the types declare it. */
const storage = (): Partial<StorageManager> | undefined => navigator.storage;

/** What this browser stores for the app, and how to delete it. */
export const browserData = {
  /** Null if the browser does not report it. */
  async usage() {
    const estimate = await storage()?.estimate?.();
    if (estimate?.usage === undefined || estimate.quota === undefined) return null;
    return { usedBytes: estimate.usage, freeBytes: Math.max(0, estimate.quota - estimate.usage) };
  },
  /** Whether the browser will never evict the data on its own. */
  async isPersisted() {
    return (await storage()?.persisted?.()) ?? false;
  },
  /**
   * Requests persistence.
   * @returns whether the browser agreed.
   */
  async persist() {
    return (await storage()?.persist?.()) ?? false;
  },
  clearCaches: () => inTime(clearCaches()),
  /** Fetches the app again, past the service worker. */
  async reloadPastCache() {
    await browserData.clearCaches().catch(() => {});
    location.reload();
  },
  /** Leaves the page, deletes everything, and opens the app as on a first visit. */
  eraseAll() {
    requestErasing();
    location.assign(import.meta.env.BASE_URL);
  },
  /** Reloads the page, which then keeps messages and files in memory and does not touch stored data. */
  continueInMemory() {
    requestMemoryOnly();
    location.reload();
  },
};

export type BrowserData = typeof browserData;

/** What the browser deletes, unless it never answers: then it rejects with `transfer-stalled`. */
function inTime(deleting: Promise<void>): Promise<void> {
  return settledInTime(systemClock, "store", deleting);
}

/**
 * Unregisters the service workers of this app and empties Cache Storage. Rejects with the browser's error.
 */
async function clearCaches(): Promise<void> {
  // Both are missing outside secure contexts, although the types declare it: then there is nothing to clear.
  const cacheStorage: CacheStorage | undefined = globalThis.caches;
  const workers: ServiceWorkerContainer | undefined = navigator.serviceWorker;
  // The page registers its worker once it is idle, which may be now.
  await stopRegistering();
  const registrations = (await workers?.getRegistrations()) ?? [];
  await Promise.all(registrations.map((registration) => registration.unregister()));
  // A worker that is still installing would fill a cache again.
  await Promise.all(registrations.map(untilInstalled));
  const names = (await cacheStorage?.keys()) ?? [];
  await Promise.all(names.map((name) => cacheStorage?.delete(name)));
}

function untilInstalled({ installing }: ServiceWorkerRegistration): Promise<void> {
  return new Promise((resolve) => {
    if (installing === null) return resolve();
    installing.addEventListener("statechange", () => resolve());
    setTimeout(resolve, timeoutMs);
  });
}

/**
 * Deletes everything this app stores in the browser: databases, files, caches, service workers and both
 * storages. Call it before anything is opened.
 * @returns `partly` if another tab, or the browser, prevented a part.
 */
export async function eraseStorage(): Promise<"done" | "partly"> {
  const results = await Promise.allSettled([eraseDatabases(), eraseFiles(), clearCaches()].map(inTime));
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
  const root = await storage()?.getDirectory?.();
  if (!root) return;
  const names: string[] = [];
  for await (const name of root.keys()) names.push(name);
  await Promise.all(names.map((name) => root.removeEntry(name, { recursive: true })));
}
