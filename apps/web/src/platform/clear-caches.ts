/** How long a service worker may take to finish its requests. */
const patienceMs = 10_000;

/**
 * Unregisters the service workers of this app and empties Cache Storage. Rejects with the browser's error.
 */
export async function clearCaches(): Promise<void> {
  // Both are missing outside secure contexts, although the types declare it: then there is nothing to clear.
  const cacheStorage: CacheStorage | undefined = globalThis.caches;
  const workers: ServiceWorkerContainer | undefined = navigator.serviceWorker;
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
    setTimeout(resolve, patienceMs);
  });
}
