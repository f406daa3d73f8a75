import { toWarrenError } from "@warren/protocol";
import type { Identity } from "../handshake/identity.ts";
import type { Clock } from "../ports/clock.ts";
import type { Environment } from "../ports/environment.ts";
import type { KeyValueStorage } from "../ports/key-value-storage.ts";
import type { SeatRequest, SignallingBackend, SignallingClient } from "../ports/signalling.ts";
import { type Log, silentLog } from "../shared/log.ts";
import type { OpenSocket } from "./signalling-socket.ts";
import { SignallingSocket } from "./signalling-socket.ts";
import { WebsocketSignallingClient } from "./websocket-signalling-client.ts";

export interface WebsocketSignallingDeps {
  /** The key of our id; the server asks for a proof. */
  readonly identity: Pick<Identity, "publicKey" | "sign">;
  readonly openSocket: OpenSocket;
  /** The server's URL, `ws:` or `wss:`; read again for each socket. */
  readonly url: () => string;
  readonly clock: Clock;
  readonly environment: Environment;
  /** Stores the seat: must survive a reload of the tab and not be shared with other tabs. */
  readonly storage: KeyValueStorage;
  readonly log?: Log;
  /** A number in [0, 1), for the jitter of reconnects. */
  readonly random?: () => number;
}

/** Signalling over Warren's own server (docs/protocol.md). */
export class WebsocketSignalling implements SignallingBackend {
  readonly #deps: Required<WebsocketSignallingDeps>;

  constructor(deps: WebsocketSignallingDeps) {
    this.#deps = { log: silentLog, random: Math.random, ...deps };
  }

  /** Tries for at most 10 s; after that the client reconnects automatically and indefinitely. */
  async createClient(seat: SeatRequest): Promise<SignallingClient> {
    const { roomTag, nearby = false, clientId, locked } = seat;
    const client = new WebsocketSignallingClient({
      ...this.#deps,
      seat,
      openSignallingSocket: (resumeToken) => {
        const { url, ...deps } = this.#deps;
        return new SignallingSocket({ ...deps, url: url(), roomTag, nearby, clientId, locked, resumeToken });
      },
    });
    try {
      await client.connect();
    } catch (thrown) {
      throw toWarrenError(thrown, "signalling-unreachable");
    }
    return client;
  }
}
