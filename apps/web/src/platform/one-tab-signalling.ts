import type { SignallingBackend, SignallingClient } from "@warren/core";
import { WarrenError } from "@warren/protocol";
import type { RoomPlace } from "./room-place.ts";

/** What the backend will need, started while the browser is asked for the place. */
interface Preparation {
  start(): void;
  /** Called if it is not needed. */
  discard(): void;
}

type SeatRequest = Parameters<SignallingBackend["createClient"]>[0];

/**
 * Lets one tab of this browser be in a room. The first attempt of a page gives way to a tab that is in one, with
 * `signalling-replaced`, unless a person insists; a later one, which a person asked for, takes its place: the server then
 * sends that tab away. Without Web Locks the server alone decides.
 */
export class OneTabSignalling implements SignallingBackend {
  readonly #backend: SignallingBackend;
  readonly #place: Pick<RoomPlace, "take">;
  readonly #preparation: Preparation | null;
  #hasAsked = false;

  constructor(
    backend: SignallingBackend,
    place: Pick<RoomPlace, "take">,
    preparation: Preparation | null = null,
  ) {
    this.#backend = backend;
    this.#place = place;
    this.#preparation = preparation;
  }

  async createClient(seat: SeatRequest): Promise<SignallingClient> {
    const isFirst = !this.#hasAsked;
    this.#hasAsked = true;
    this.#preparation?.start();
    const release = await this.#place.take(!isFirst);
    if (release === null) {
      this.#preparation?.discard();
      throw new WarrenError("signalling-replaced");
    }
    try {
      return held(await this.#backend.createClient(seat), release);
    } catch (thrown) {
      release();
      throw thrown;
    }
  }
}

/** The client, which releases the place when it ends. */
function held(client: SignallingClient, release: () => void): SignallingClient {
  client.listenForStatus(({ status }) => status === "closed" && release());
  return {
    get self() {
      return client.self;
    },
    get relays() {
      return client.relays;
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
