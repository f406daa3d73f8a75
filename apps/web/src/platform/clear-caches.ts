/** Empties Cache Storage and unregisters the service workers of this app. Rejects with what the browser says. */
export async function clearCaches(): Promise<void> {
  // Both are missing outside secure contexts, whatever the types say: then there is nothing to clear.
  const cacheStorage: CacheStorage | undefined = globalThis.caches;
  const workers: ServiceWorkerContainer | undefined = navigator.serviceWorker;
  const names = (await cacheStorage?.keys()) ?? [];
  await Promise.all(names.map((name) => cacheStorage?.delete(name)));
  const registrations = (await workers?.getRegistrations()) ?? [];
  await Promise.all(registrations.map((registration) => registration.unregister()));
}
