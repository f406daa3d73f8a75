import { createPeerConnection } from "../node/node-peer-connection.ts";
import type { CreatePeerConnection } from "../ports/peer-connection.ts";

/** Creates and closes connections for cores in Node; each test must close them, or the process stays alive. */
export class NodePeerConnections {
  /** Every connection created so far, in order. */
  readonly made: RTCPeerConnection[] = [];
  /** Tell answerers where their offerers are. */
  #held: (() => void)[] = [];

  /** The port for the cores under test. */
  readonly createPeerConnection: CreatePeerConnection = (configuration) => {
    const connection = createPeerConnection(configuration);
    this.#holdBack(connection);
    this.made.push(connection);
    return connection;
  };

  closeAll(): void {
    for (const connection of this.made.splice(0)) connection.close();
    this.#held = [];
  }

  /**
   * An offerer that is reached before it has stored the answer refuses the certificate and closes: libdatachannel stores it after
   * it told its ICE transport, and on one busy machine a whole handshake fits in between. So no answerer starts before that.
   */
  #holdBack(connection: RTCPeerConnection): void {
    const apply = connection.setRemoteDescription.bind(connection);
    connection.setRemoteDescription = async ({ type, sdp = "" }) => {
      if (type !== "offer") {
        await apply({ type, sdp });
        for (const release of this.#held.splice(0)) release();
        return;
      }
      await apply({ type, sdp: sdp.replace(/^a=(?:candidate:.*|end-of-candidates)\r?\n/gm, "") });
      for (const [line] of sdp.matchAll(/^a=candidate:.*$/gm))
        this.#held.push(() => {
          const added = connection.addIceCandidate({ candidate: line.slice(2), sdpMid: "0" });
          // Closed meanwhile.
          added.catch(() => {});
        });
    };
  }
}
