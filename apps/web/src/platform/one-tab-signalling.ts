import type { SignallingBackend, SignallingClient } from "@warren/core";
import { WarrenError } from "@warren/protocol";

type SeatRequest = Parameters<SignallingBackend["createClient"]>[0];

const lockName = "warren-room";

/**
 * Lets one tab of this browser be in a room. The first attempt of a page gives way to a tab that is in one, with
 * `signalling-replaced`; a later one, which a person asked for, takes its place: the server then sends that tab away.
 * Without Web Locks the server alone decides.
 */
export class OneTabSignalling implements SignallingBackend {
  readonly #backend: SignallingBackend;
  readonly #locks: LockManager | undefined;
  #hasAsked = false;

  constructor(backend: SignallingBackend, locks: LockManager | undefined) {
    this.#backend = backend;
    this.#locks = locks;
  }

  async createClient(seat: SeatRequest): Promise<SignallingClient> {
    const release = this.#locks ? await this.#take(this.#locks) : () => {};
    if (release === null) throw new WarrenError("signalling-replaced");
    try {
      return held(await this.#backend.createClient(seat), release);
    } catch (thrown) {
      release();
      throw thrown;
    }
  }

  /** Takes the place of the tab that is in a room. @returns what gives it up, or null while another tab has it. */
  #take(locks: LockManager): Promise<(() => void) | null> {
    const options = this.#hasAsked ? { steal: true } : { ifAvailable: true };
    this.#hasAsked = true;
    return new Promise((resolve) => {
      locks
        .request(lockName, options, (lock) => {
          if (lock === null) return resolve(null);
          return new Promise<void>((release) => resolve(release));
        })
        // Another tab has taken it; or there are no locks here after all, and the server decides.
        .catch(() => resolve(() => {}));
    });
  }
}

/** The client, giving the place up when it ends. */
function held(client: SignallingClient, release: () => void): SignallingClient {
  client.listenForStatus(({ status }) => status === "closed" && release());
  return {
    get self() {
      return client.self;
    },
    listenForJoin: (callback) => client.listenForJoin(callback),
    listenForLeave: (callback) => client.listenForLeave(callback),
    createSender: (targetId) => client.createSender(targetId),
    listenForStatus: (callback) => client.listenForStatus(callback),
    destroy() {
      client.destroy();
      release();
    },
    // The browser frees the place of a page that has gone.
    vanish: () => client.vanish(),
  };
}
