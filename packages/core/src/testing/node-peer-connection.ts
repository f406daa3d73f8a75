import { type PeerConnection as NativePeerConnection, PeerConnection } from "node-datachannel";
import { RTCPeerConnection as PolyfillPeerConnection } from "node-datachannel/polyfill";
import type { CreatePeerConnection } from "../ports/peer-connection.ts";

/**
 * Real WebRTC for Node. The polyfill lacks the browser's rules for descriptions, which are added here: they are created
 * only on request, `setLocalDescription()` picks the type, an offer rolls back a pending one, and the first
 * channel triggers `negotiationneeded`. ICE restarts and media are not supported.
 */
class NodePeerConnection extends PolyfillPeerConnection {
  readonly #native: NativePeerConnection;
  #hasChannel = false;

  constructor(configuration: RTCConfiguration) {
    const native = new PeerConnection("peer", { iceServers: [], disableAutoNegotiation: true });
    super({ ...configuration, peerConnection: native });
    this.#native = native;
  }

  override get localDescription(): RTCSessionDescription {
    return descriptionOrNull(this.#native.localDescription());
  }

  override get remoteDescription(): RTCSessionDescription {
    return descriptionOrNull(this.#native.remoteDescription());
  }

  override async setLocalDescription(): Promise<void> {
    this.#native.setLocalDescription(this.signalingState === "have-remote-offer" ? "answer" : "offer");
  }

  override async setRemoteDescription({ type, sdp = "" }: RTCSessionDescriptionInit): Promise<void> {
    if (type === "offer" && this.signalingState === "have-local-offer")
      this.#native.setLocalDescription("rollback");
    if (type === "offer" || type === "answer") this.#native.setRemoteDescription(sdp, type);
  }

  override createDataChannel(...args: Parameters<PolyfillPeerConnection["createDataChannel"]>) {
    const channel = super.createDataChannel(...args);
    if (!this.#hasChannel) queueMicrotask(() => this.dispatchEvent(new Event("negotiationneeded")));
    this.#hasChannel = true;
    return channel;
  }
}

function descriptionOrNull(description: { type: string; sdp: string } | null): RTCSessionDescription {
  return description as unknown as RTCSessionDescription;
}

/** Creates and closes connections for cores in Node; each test must close them, or the process stays alive. */
export class NodePeerConnections {
  /** Every connection created so far, in order. */
  readonly made: RTCPeerConnection[] = [];

  /** The port for the cores under test. */
  readonly createPeerConnection: CreatePeerConnection = (configuration) => {
    const connection = new NodePeerConnection(configuration) as unknown as RTCPeerConnection;
    this.made.push(connection);
    return connection;
  };

  closeAll(): void {
    for (const connection of this.made.splice(0)) connection.close();
  }
}
