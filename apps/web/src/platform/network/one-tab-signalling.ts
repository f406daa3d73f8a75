import type { SignallingBackend, SignallingClient } from "@warren/core";
import { WarrenError } from "@warren/protocol";
import type { RoomLock } from "./room-lock.ts";

/** What the backend will need, started while the browser is asked for the lock. */
interface Preparation {
  start(): void;
  /** Called if it is not needed. */
  discard(): void;
}

type SeatRequest = Parameters<SignallingBackend["createClient"]>[0];

/**
 * Lets one tab of this browser meet others. For people nearby, a tab never takes the place of another unless a person asks to take over,
 * and gives way to every room. The first attempt of a page gives way to a tab that is in one, with
 * `signalling-replaced`, unless a person asks to take over; a later one, which a person asked for, takes its place: the server then
 * sends that tab away. Without Web Locks the server alone decides.
 */
export class OneTabSignalling implements SignallingBackend {
  readonly #backend: SignallingBackend;
  readonly #lock: Pick<RoomLock, "take">;
  readonly #preparation: Preparation | null;
  #hasAsked = false;

  constructor(
    backend: SignallingBackend,
    lock: Pick<RoomLock, "take">,
    preparation: Preparation | null = null,
  ) {
    this.#backend = backend;
    this.#lock = lock;
    this.#preparation = preparation;
  }

  async createClient(seat: SeatRequest): Promise<SignallingClient> {
    const { nearby: isNearby = false } = seat;
    const steal = this.#hasAsked && !isNearby;
    this.#hasAsked ||= !isNearby;
    this.#preparation?.start();
    let end = (): void => {};
    // Other rooms are none of the server's business, so it sends nobody away.
    const onTaken = isNearby ? () => end() : undefined;
    const release = await this.#lock.take({ steal, isNearby, ...(onTaken && { onTaken }) });
    if (release === null) {
      this.#preparation?.discard();
      throw new WarrenError("signalling-replaced");
    }
    try {
      const client = heldClient(await this.#backend.createClient(seat), release);
      end = client.replaced;
      return client;
    } catch (thrown) {
      release();
      throw thrown;
    }
  }
}

type StatusListener = Parameters<SignallingClient["listenForStatus"]>[0];

/** The client, which releases the lock when it ends. `replaced` ends it for another tab. */
function heldClient(client: SignallingClient, release: () => void): SignallingClient & { replaced(): void } {
  const listeners = new Set<StatusListener>();
  let isOver = false;
  client.listenForStatus(({ status }) => status === "closed" && release());
  return {
    replaced() {
      if (isOver) return;
      client.destroy();
      const error = new WarrenError("signalling-replaced");
      for (const listener of listeners) listener({ status: "closed", error });
    },
    get self() {
      return client.self;
    },
    get relays() {
      return client.relays;
    },
    listenForJoin: (callback) => client.listenForJoin(callback),
    listenForLeave: (callback) => client.listenForLeave(callback),
    createSender: (targetId) => client.createSender(targetId),
    listenForStatus(callback) {
      const stop = client.listenForStatus(callback);
      listeners.add(callback);
      return () => {
        listeners.delete(callback);
        stop();
      };
    },
    destroy() {
      isOver = true;
      client.destroy();
      release();
    },
    // The browser frees the lock of a page that has gone.
    vanish: () => client.vanish(),
  };
}
