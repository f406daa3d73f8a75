import { trustedUrl } from "../workers/trusted-url.ts";

/** The service workers of this page; null outside secure contexts and in browsers without them, although the types declare it. */
export function serviceWorkers(): ServiceWorkerContainer | null {
  const workers: ServiceWorkerContainer | undefined = navigator.serviceWorker;
  return workers ?? null;
}

/**
 * Registers the app's service worker, or finds its registration. Its script never comes from the browser's
 * own cache.
 */
export function registerServiceWorker(workers: ServiceWorkerContainer): Promise<ServiceWorkerRegistration> {
  const scope = import.meta.env.BASE_URL;
  return workers.register(trustedUrl(`${scope}sw.js`), { scope, updateViaCache: "none" });
}
