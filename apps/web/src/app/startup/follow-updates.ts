import type { KeyValueStorage } from "@warren/core";
import type { ToServiceWorker } from "../../service-worker/messages.ts";

const checkIntervalMs = 60_000;
/** How long to wait for a service worker to answer or take over. */
const timeoutMs = 3_000;
/** Set once this tab has offered a new version. */
const promptedKey = "prompted";

/** The dependencies of the update follower. */
export interface UpdateDeps {
  readonly workers: Pick<ServiceWorkerContainer, "controller" | "addEventListener">;
  readonly register: () => Promise<ServiceWorkerRegistration>;
  /** The build of this page, in the format that a service worker reports. */
  readonly ownBuild: string;
  /** Storage of this tab; survives reloads. */
  readonly tabStorage: KeyValueStorage;
  /** Whether a reload now would interrupt or lose something. */
  readonly isBusy: () => boolean;
  /** Offers a new version to the user; accepting it calls `onReload`. */
  readonly offer: (onReload: () => void) => void;
  readonly reload: () => void;
  /** Stops following. */
  readonly signal: AbortSignal;
}

/**
 * Registers the service worker, checks for a new one every 60 s, and brings a new version in:
 * offers it once per tab session, and then takes it over by itself, unless that would interrupt something.
 * Rejects when the service worker cannot be registered.
 */
export async function followUpdates(deps: UpdateDeps): Promise<void> {
  const { workers, signal } = deps;
  const update = new Update(deps);
  // The first service worker of a page changes nothing for it.
  if (workers.controller !== null)
    workers.addEventListener("controllerchange", () => void update.onTakenOver(), { signal });

  const registration = await deps.register();
  if (signal.aborted) return;
  const onInstalling = (): void => {
    const { installing } = registration;
    installing?.addEventListener(
      "statechange",
      () => {
        // The very first service worker has nothing to wait for.
        if (installing.state === "installed" && registration.active) void update.onWaiting(installing);
      },
      { signal },
    );
  };
  registration.addEventListener("updatefound", onInstalling, { signal });
  onInstalling();
  const check = (): void => {
    registration.update().catch(() => {}); // offline, or cleared in the settings: the next load registers it again
  };
  const timer = setInterval(check, checkIntervalMs);
  signal.addEventListener("abort", () => clearInterval(timer));
  if (registration.waiting) await update.onWaiting(registration.waiting);
}

class Update {
  readonly #deps: UpdateDeps;
  #wantsReload = false;
  #hasReloaded = false;

  constructor(deps: UpdateDeps) {
    this.#deps = deps;
  }

  /** A new version is installed and waiting. */
  async onWaiting(worker: ServiceWorker): Promise<void> {
    const { ownBuild, tabStorage, isBusy, offer, signal } = this.#deps;
    const build = await buildOf(worker);
    if (signal.aborted) return;
    if (build === ownBuild) {
      // The page came from the network and already is of the new version.
      send(worker, { type: "take-over-when-alone" });
      return;
    }
    const wasPrompted = tabStorage.read(promptedKey) !== null;
    tabStorage.write(promptedKey, "true");
    if (wasPrompted && !isBusy()) this.#takeOver(worker);
    else offer(() => this.#takeOver(worker));
  }

  /** Another version has taken over, in this tab or another. */
  async onTakenOver(): Promise<void> {
    const { workers, ownBuild, isBusy, offer, signal } = this.#deps;
    if (this.#wantsReload) return this.#reload();
    const build = workers.controller && (await buildOf(workers.controller));
    if (signal.aborted || build === null || build === ownBuild) return;
    if (isBusy()) offer(() => this.#reload());
    else this.#reload();
  }

  #takeOver(worker: ServiceWorker): void {
    this.#wantsReload = true;
    // A page without a controlling service worker gets no `controllerchange`.
    worker.addEventListener("statechange", () => {
      if (worker.state === "activated") this.#reload();
    });
    const timer = setTimeout(() => this.#reload(), timeoutMs);
    this.#deps.signal.addEventListener("abort", () => clearTimeout(timer));
    send(worker, { type: "take-over" });
  }

  #reload(): void {
    if (this.#hasReloaded) return;
    this.#hasReloaded = true;
    this.#deps.reload();
  }
}

function send(worker: ServiceWorker, message: ToServiceWorker, transfer: Transferable[] = []): void {
  worker.postMessage(message, transfer);
}

/** The build of a service worker; null when it does not answer. */
function buildOf(worker: ServiceWorker): Promise<string | null> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    const settle = (build: string | null): void => {
      clearTimeout(timer);
      port1.close();
      resolve(build);
    };
    const timer = setTimeout(() => settle(null), timeoutMs);
    port1.onmessage = ({ data }) => settle(typeof data === "string" ? data : null);
    send(worker, { type: "tell-build" }, [port2]);
  });
}
