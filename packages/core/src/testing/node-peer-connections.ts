import { createPeerConnection } from "../node/node-peer-connection.ts";
import type { CreatePeerConnection } from "../ports/peer-connection.ts";

/** Creates and closes connections for cores in Node; each test must close them, or the process stays alive. */
export class NodePeerConnections {
  /** Every connection created so far, in order. */
  readonly made: RTCPeerConnection[] = [];

  /** The port for the cores under test. */
  readonly createPeerConnection: CreatePeerConnection = (configuration) => {
    const connection = createPeerConnection(configuration);
    this.made.push(connection);
    return connection;
  };

  closeAll(): void {
    for (const connection of this.made.splice(0)) connection.close();
  }
}
