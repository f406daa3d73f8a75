import type { CreatePeerConnection } from "../ports/peer-connection.ts";
import { type FakePath, FakePeerConnection } from "./fake-peer-connection.ts";

/**
 * Connects {@link FakePeerConnection}s that have exchanged descriptions and candidates, and can be cut. It has
 * no timing of its own: tests trigger everything that a browser would do after a while.
 */
export class FakeNetwork {
  readonly #connections = new Map<string, FakePeerConnection>();
  #isUp = true;
  /** Packets that channels keep retrying while the network is down. */
  readonly #held: (() => void)[] = [];

  readonly path: FakePath = {
    channelOptions: {},
    roundTripMs: 1,
    isUp: () => this.#isUp,
    pass: (packets) => {
      if (this.#isUp) packets();
      else this.#held.push(packets);
    },
  };

  /** Addresses of ICE servers for which the browser throws. */
  readonly refusedUrls = new Set<string>();

  /** Every connection created here, in order. */
  readonly made: FakePeerConnection[] = [];

  /** The port for the cores under test. */
  // The fake implements the members of the interface that core uses.
  readonly createPeerConnection: CreatePeerConnection = (configuration) =>
    this.create(configuration) as unknown as RTCPeerConnection;

  create(configuration: RTCConfiguration): FakePeerConnection {
    for (const url of (configuration.iceServers ?? []).flatMap(({ urls }) => urls))
      if (this.refusedUrls.has(url)) throw new DOMException(`'${url}' is not valid.`, "SyntaxError");
    const connection = new FakePeerConnection(configuration, this.path, (other) => this.#settle(other));
    this.#connections.set(connection.id, connection);
    this.made.push(connection);
    return connection;
  }

  /** Stops all packets, including those of channels: open connections become `disconnected`. */
  cut(): void {
    this.#isUp = false;
    for (const connection of this.#connections.values()) connection.setIce("connected", "disconnected");
  }

  /** Lets packets through again; connections not yet given up by their browser resume. */
  heal(): void {
    this.#isUp = true;
    for (const connection of this.#connections.values()) {
      connection.setIce("disconnected", "connected");
      this.#settle(connection);
    }
    for (const packets of this.#held.splice(0)) packets();
  }

  /** The browsers give up their cut connections, which then need an ICE restart. */
  expire(): void {
    for (const connection of this.#connections.values()) connection.setIce("disconnected", "failed");
  }

  #settle(connection: FakePeerConnection): void {
    const other = this.#connections.get(connection.remoteId ?? "");
    if (this.#isUp && other !== undefined && connection.meets(other) && other.meets(connection)) {
      connection.join(other);
      other.join(connection);
    }
  }
}
