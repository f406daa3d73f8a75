import { settledInTime, systemClock } from "@warren/core";
import { trustedUrl } from "../workers/trusted-url.ts";

let registering: Promise<ServiceWorkerRegistration> | null = null;
let isStopped = false;

/**
 * Registers the app's service worker, or finds its registration. Its script never comes from the browser's
 * own cache. Rejects after {@link stopRegistering}.
 */
export async function registerServiceWorker(
  workers: ServiceWorkerContainer,
): Promise<ServiceWorkerRegistration> {
  if (isStopped) throw new Error("its cache was cleared in this page");
  const scope = import.meta.env.BASE_URL;
  registering = workers.register(trustedUrl(`${scope}sw.js`), { scope, updateViaCache: "none" });
  return registering;
}

/**
 * This page registers no service worker any more, which would fill a cache that was cleared. Resolves once none is being
 * registered, or once the browser has not answered for too long.
 */
export async function stopRegistering(): Promise<void> {
  isStopped = true;
  if (registering !== null) await settledInTime(systemClock, "worker", registering).catch(() => {});
}
