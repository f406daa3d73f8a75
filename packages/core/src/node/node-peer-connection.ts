import { type IceServer, type PeerConnection as Native, PeerConnection } from "node-datachannel";
import {
  RTCIceCandidate as Candidate,
  RTCPeerConnectionIceEvent as CandidateEvent,
  RTCPeerConnection as Polyfill,
} from "node-datachannel/polyfill";
import type { CreatePeerConnection } from "../ports/peer-connection.ts";

/** A certificate and its key as PEM, in the place of the browser's opaque object. */
export interface PemCertificate {
  readonly certificatePem: string;
  readonly keyPem: string;
}

/** Which STUN server the next connection asks: another one if the last told nothing. */
let stunTurn = 0;

/**
 * WebRTC for Node. The polyfill lacks the browser's rules for descriptions, which are added here: they are created only on
 * request, `setLocalDescription()` picks the type, an offer rolls back a pending one, and the first channel triggers
 * `negotiationneeded`. There is no media, and ICE is not restarted: core makes a new connection instead.
 */
class NodePeerConnection extends Polyfill {
  readonly #native: Native;
  #hasChannel = false;
  /** Whether a STUN server has told an address of ours. */
  #isTold = false;

  constructor(configuration: RTCConfiguration) {
    const { iceServers = [], iceTransportPolicy = "all", certificates = [] } = configuration;
    const [certificate] = certificates as unknown as PemCertificate[];
    const native = new PeerConnection("warren", {
      iceServers: nativeServersOf(iceServers, stunTurn),
      iceTransportPolicy,
      disableAutoNegotiation: true,
      ...(certificate && {
        certificatePemFile: certificate.certificatePem,
        keyPemFile: certificate.keyPem,
      }),
    });
    super({ iceServers: [], peerConnection: native });
    this.#native = native;
    // Before everybody else: who hears of a channel may use it at once.
    this.addEventListener("datachannel", (event) => endAsInBrowsers((event as RTCDataChannelEvent).channel));
    // Instead of what the polyfill does: libdatachannel gives a line of a description, which nobody takes for a candidate.
    native.onLocalCandidate((line, sdpMid) => {
      this.#isTold ||= / typ srflx /.test(line);
      const candidate = new Candidate({ candidate: line.replace(/^a=/, ""), sdpMid });
      this.dispatchEvent(new CandidateEvent(candidate));
    });
  }

  /** What silenced one STUN server may not silence the next. */
  override close(): void {
    if (!this.#isTold && this.signalingState !== "closed") stunTurn++;
    super.close();
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
    const channel = endAsInBrowsers(super.createDataChannel(...args));
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

/**
 * Has a channel end as those of browsers do. It tells so as soon as nothing can be sent on it any more: the polyfill calls it open
 * until libdatachannel says otherwise, and a transfer would take the end of its connection for a fault. And its properties can be
 * used after that, where the polyfill throws.
 */
export function endAsInBrowsers<
  Channel extends Pick<
    RTCDataChannel,
    "send" | "readyState" | "bufferedAmount" | "bufferedAmountLowThreshold"
  >,
>(channel: Channel): Channel {
  const polyfill = Object.getPrototypeOf(channel);
  let isOver = false;
  const get = (name: keyof RTCDataChannel) => Reflect.get(polyfill, name, channel);
  const stateNow = () => get("readyState");
  return Object.defineProperties(channel, {
    send: {
      value: (data: Uint8Array<ArrayBuffer>) => {
        try {
          polyfill.send.call(channel, data);
        } catch (thrown) {
          isOver ||= stateNow() === "open" && !/exceeds limit/.test(String(thrown));
          throw thrown;
        }
      },
    },
    readyState: {
      get: () => (isOver && stateNow() === "open" ? "closing" : stateNow()),
    },
    bufferedAmount: {
      get: () => unlessGone(() => get("bufferedAmount"), 0),
    },
    bufferedAmountLowThreshold: {
      get: () => get("bufferedAmountLowThreshold"),
      set: (bytes: number) =>
        unlessGone(() => Reflect.set(polyfill, "bufferedAmountLowThreshold", bytes, channel), false),
    },
  });
}

/** What a channel answers, or `gone` once libdatachannel has destroyed it. */
function unlessGone<T>(ask: () => T, gone: T): T {
  try {
    return ask();
  } catch {
    return gone;
  }
}

/**
 * What libjuice can use. It asks one STUN server for each connection, the `turn`-th here, and relays over UDP only; the
 * first two are used. A password may hold any character, so it is not put into a URL.
 */
export function nativeServersOf(servers: readonly RTCIceServer[], turn: number): (string | IceServer)[] {
  const each = servers.flatMap(({ urls, ...login }) => [urls].flat().map((url) => ({ url, ...login })));
  const stuns = each.filter(({ url }) => /^stun:/i.test(url)).map(({ url }) => url);
  const stun = stuns[turn % stuns.length];
  const relays = each.flatMap(({ url, username = "", credential = "" }): IceServer[] => {
    const [, host, port = "3478", query = ""] =
      /^turn:(\[[^\]]+\]|[^:?]+)(?::(\d+))?(\?.*)?$/i.exec(url) ?? [];
    if (host === undefined || /transport=(?!udp)/i.test(query)) return [];
    const hostname = host.replace(/^\[|\]$/g, "");
    return [{ hostname, port: Number(port), username, password: credential, relayType: "TurnUdp" }];
  });
  return stun === undefined ? relays : [stun, ...relays];
}

export const createPeerConnection: CreatePeerConnection = (configuration) =>
  new NodePeerConnection(configuration) as unknown as RTCPeerConnection;
