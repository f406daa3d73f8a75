/** A service worker that a test moves through its states. */
export class FakeServiceWorker extends EventTarget {
  readonly asked: string[] = [];
  readonly #build: string | null;
  state: ServiceWorkerState;

  /** @param build what it tells of itself; null for one that is silent. */
  constructor(build: string | null, state: ServiceWorkerState = "installed") {
    super();
    this.#build = build;
    this.state = state;
  }

  postMessage(message: { readonly type: string }, [port]: readonly MessagePort[] = []): void {
    this.asked.push(message.type);
    if (message.type === "tell-build" && this.#build !== null) port?.postMessage(this.#build);
  }

  become(state: ServiceWorkerState): void {
    this.state = state;
    this.dispatchEvent(new Event("statechange"));
  }
}

/** A browser's service workers as a page sees them: a registration, and who controls the page. */
export class FakeServiceWorkers extends EventTarget {
  controller: FakeServiceWorker | null = null;
  /** How often it was asked for a new version. */
  checks = 0;
  readonly registration = Object.assign(new EventTarget(), {
    installing: null as FakeServiceWorker | null,
    waiting: null as FakeServiceWorker | null,
    active: null as FakeServiceWorker | null,
    update: async () => {
      this.checks += 1;
    },
  });

  /** As in a page that `worker` has answered. */
  control(worker: FakeServiceWorker): void {
    this.controller = worker;
    this.registration.active = worker;
  }

  /** A new version is found and installs. */
  find(worker: FakeServiceWorker): void {
    worker.state = "installing";
    this.registration.installing = worker;
    this.registration.dispatchEvent(new Event("updatefound"));
    this.registration.installing = null;
    this.registration.waiting = worker;
    worker.become("installed");
  }

  /** A waiting version takes over, on whose wish ever. */
  takeOver(worker: FakeServiceWorker): void {
    this.registration.waiting = null;
    this.control(worker);
    worker.become("activated");
    this.dispatchEvent(new Event("controllerchange"));
  }

  /** A message of the service worker. */
  tell(data: unknown): void {
    this.dispatchEvent(new MessageEvent("message", { data }));
  }

  /** The same as the page's code takes it. */
  get asContainer(): ServiceWorkerContainer {
    return this as unknown as ServiceWorkerContainer;
  }

  get asRegistration(): ServiceWorkerRegistration {
    return this.registration as unknown as ServiceWorkerRegistration;
  }
}
