import type { CreatePeerConnection } from "../ports/peer-connection.ts";
import { type FakePath, FakePeerConnection } from "./fake-peer-connection.ts";

/**
 * Joins {@link FakePeerConnection}s that have exchanged descriptions and candidates, and can be cut. Beyond that it
 * has no timing of its own: whatever a browser would do after a while, a test says.
 */
export class FakeNetwork {
  readonly #connections = new Map<string, FakePeerConnection>();
  #isUp = true;
  /** What channels go on trying to send while nothing passes. */
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

  /** Every connection ever made here, in order. */
  readonly made: FakePeerConnection[] = [];

  /** The port for the cores under test. */
  // The fake has the parts of the interface that core uses.
  readonly createPeerConnection: CreatePeerConnection = (configuration) =>
    this.create(configuration) as unknown as RTCPeerConnection;

  create(configuration: RTCConfiguration): FakePeerConnection {
    const connection = new FakePeerConnection(configuration, this.path, (other) => this.#settle(other));
    this.#connections.set(connection.id, connection);
    this.made.push(connection);
    return connection;
  }

  /** No packet passes any more, on channels neither: open connections see it as `disconnected`. */
  cut(): void {
    this.#isUp = false;
    for (const connection of this.#connections.values()) connection.setIce("connected", "disconnected");
  }

  /** Packets pass again; connections not yet given up by their browser go on. */
  heal(): void {
    this.#isUp = true;
    for (const connection of this.#connections.values()) {
      connection.setIce("disconnected", "connected");
      this.#settle(connection);
    }
    for (const packets of this.#held.splice(0)) packets();
  }

  /** The browsers give their cut connections up, which then need an ICE restart. */
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
