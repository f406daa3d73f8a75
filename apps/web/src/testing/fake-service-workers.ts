/** A service worker that a test moves through its states. */
export class FakeServiceWorker extends EventTarget {
  readonly asked: string[] = [];
  readonly #build: string | null;
  state: ServiceWorkerState;

  /** @param build the version it reports; null if it does not reply. */
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

/** A browser's service workers as seen by a page: a registration, and the controlling worker. */
export class FakeServiceWorkers extends EventTarget {
  controller: FakeServiceWorker | null = null;
  /** How often it checked for a new version. */
  checks = 0;
  readonly registration = Object.assign(new EventTarget(), {
    installing: null as FakeServiceWorker | null,
    waiting: null as FakeServiceWorker | null,
    active: null as FakeServiceWorker | null,
    update: async () => {
      this.checks += 1;
    },
  });

  /** As in a page served by `worker`. */
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

  /** A waiting version takes over, whoever asked for it. */
  takeOver(worker: FakeServiceWorker): void {
    this.registration.waiting = null;
    this.control(worker);
    worker.become("activated");
    this.dispatchEvent(new Event("controllerchange"));
  }

  /** Delivers a message of the service worker. */
  post(data: unknown): void {
    this.dispatchEvent(new MessageEvent("message", { data }));
  }

  /** The same, typed for the page's code. */
  get asContainer(): ServiceWorkerContainer {
    return this as unknown as ServiceWorkerContainer;
  }

  get asRegistration(): ServiceWorkerRegistration {
    return this.registration as unknown as ServiceWorkerRegistration;
  }
}
