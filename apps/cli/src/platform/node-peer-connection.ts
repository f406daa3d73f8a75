import type { CreatePeerConnection } from "@warren/core";
import { type IceServer, type PeerConnection as Native, PeerConnection } from "node-datachannel";
import { RTCPeerConnection as Polyfill } from "node-datachannel/polyfill";
import type { PemCertificate } from "./certificate.ts";

/**
 * WebRTC for Node. The polyfill lacks the browser's rules for descriptions, which are added here: they are created only on
 * request, `setLocalDescription()` picks the type, an offer rolls back a pending one, and the first channel triggers
 * `negotiationneeded`. There is no media, and ICE is not restarted: core makes a new connection instead.
 */
class NodePeerConnection extends Polyfill {
  readonly #native: Native;
  #hasChannel = false;

  constructor(configuration: RTCConfiguration) {
    const { iceServers = [], iceTransportPolicy = "all", certificates = [] } = configuration;
    const [certificate] = certificates as unknown as PemCertificate[];
    const native = new PeerConnection("warren", {
      iceServers: iceServers.flatMap(nativeServersOf),
      iceTransportPolicy,
      disableAutoNegotiation: true,
      ...(certificate && {
        certificatePemFile: certificate.certificatePem,
        keyPemFile: certificate.keyPem,
      }),
    });
    super({ iceServers: [], peerConnection: native });
    this.#native = native;
  }

  /** The polyfill claims that the other side showed an empty certificate. */
  override get sctp(): Polyfill["sctp"] {
    return null as unknown as Polyfill["sctp"];
  }

  override get localDescription(): RTCSessionDescription {
    return this.#native.localDescription() as unknown as RTCSessionDescription;
  }

  override get remoteDescription(): RTCSessionDescription {
    return this.#native.remoteDescription() as unknown as RTCSessionDescription;
  }

  override async setLocalDescription(): Promise<void> {
    this.#native.setLocalDescription(this.signalingState === "have-remote-offer" ? "answer" : "offer");
  }

  override async setRemoteDescription({ type, sdp = "" }: RTCSessionDescriptionInit): Promise<void> {
    if (type === "offer" && this.signalingState === "have-local-offer")
      this.#native.setLocalDescription("rollback");
    if (type === "offer" || type === "answer") this.#native.setRemoteDescription(sdp, type);
  }

  override createDataChannel(...args: Parameters<Polyfill["createDataChannel"]>) {
    const channel = super.createDataChannel(...args);
    if (!this.#hasChannel) queueMicrotask(() => this.dispatchEvent(new Event("negotiationneeded")));
    this.#hasChannel = true;
    return channel;
  }

  /** The polyfill gives the round trip in milliseconds, where browsers give seconds. */
  override async getStats(): Promise<RTCStatsReport> {
    const report = await super.getStats();
    report.forEach((stats: { type: string; currentRoundTripTime: number }) => {
      if (stats.type === "candidate-pair") stats.currentRoundTripTime /= 1_000;
    });
    return report;
  }
}

/** Each address of a server. A password may hold any character, so it is not put into a URL. */
function nativeServersOf({ urls, username = "", credential = "" }: RTCIceServer): (string | IceServer)[] {
  return [urls].flat().map((url) => {
    const [, scheme = "", host = "", port, query = ""] =
      /^(turns?):(\[[^\]]+\]|[^:?]+)(?::(\d+))?(\?.*)?$/i.exec(url) ?? [];
    if (scheme === "") return url;
    const isTls = scheme.toLowerCase() === "turns";
    const relayType = isTls ? "TurnTls" : /transport=tcp/i.test(query) ? "TurnTcp" : "TurnUdp";
    const hostname = host.replace(/^\[|\]$/g, "");
    return {
      hostname,
      port: Number(port ?? (isTls ? 5349 : 3478)),
      username,
      password: credential,
      relayType,
    };
  });
}

export const createPeerConnection: CreatePeerConnection = (configuration) =>
  new NodePeerConnection(configuration) as unknown as RTCPeerConnection;
