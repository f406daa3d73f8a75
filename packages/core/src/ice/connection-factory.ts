import { WarrenError } from "@warren/protocol";
import { shallow } from "zustand/vanilla/shallow";
import type { CreatePeerConnection } from "../ports/peer-connection.ts";
import { createStore, type ReadableStore } from "../shared/store.ts";
import type { IceConfiguration } from "./ice-configuration.ts";
import type { LeftOutServer } from "./ice-servers.ts";
import type { ServerVerdicts } from "./server-verdicts.ts";

/** Creates a connection with the current relays, and the current certificate or that of another connection. */
export type CreateConnection = (certifiedLike?: RTCPeerConnection) => Promise<RTCPeerConnection>;

interface ConnectionFactoryDeps {
  readonly createPeerConnection: CreatePeerConnection;
  readonly verdicts: ServerVerdicts;
  readonly configuration: IceConfiguration;
  readonly certificates: () => Promise<RTCCertificate[]>;
  /** The relays of the signalling server. */
  readonly relays: () => readonly RTCIceServer[];
}

/** Creates the connections of a page: one server that the browser refuses must not stop them all. */
export class ConnectionFactory {
  /** The servers that the last connection had to do without, and why. */
  readonly leftOut: ReadableStore<readonly LeftOutServer[]>;
  readonly #leftOut = createStore<readonly LeftOutServer[]>([]);
  readonly #deps: ConnectionFactoryDeps;
  readonly #certificatesOf = new WeakMap<RTCPeerConnection, RTCCertificate[]>();

  constructor(deps: ConnectionFactoryDeps) {
    this.#deps = deps;
    this.leftOut = this.#leftOut;
  }

  /** Rejects if the browser creates no connection at all. */
  readonly make: CreateConnection = async (certifiedLike) => {
    const [{ configuration, leftOut }, certificates] = await Promise.all([
      this.#deps.configuration.get(this.#deps.relays()),
      (certifiedLike && this.#certificatesOf.get(certifiedLike)) ?? this.#deps.certificates(),
    ]);
    const connection = this.#create({ ...configuration, certificates }, leftOut);
    this.#certificatesOf.set(connection, certificates);
    return connection;
  };

  #create(configuration: RTCConfiguration, leftOut: readonly LeftOutServer[]): RTCPeerConnection {
    const { createPeerConnection } = this.#deps;
    try {
      const connection = createPeerConnection(configuration);
      this.#note(leftOut);
      return connection;
    } catch (thrown) {
      const { accepted, refused } = this.#judge(configuration.iceServers ?? []);
      if (refused.length === 0) throw thrown;
      this.#note([...leftOut, ...refused]);
      return createPeerConnection({ ...configuration, iceServers: accepted });
    }
  }

  #judge(servers: readonly RTCIceServer[]) {
    const accepted: RTCIceServer[] = [];
    const refused: LeftOutServer[] = [];
    for (const server of servers)
      for (const url of [server.urls].flat()) {
        const reason = this.#deps.verdicts.refusalOf({ ...server, urls: url });
        if (reason === null) accepted.push({ ...server, urls: url });
        else refused.push({ url, error: new WarrenError("server-refused", { url, reason }).describe() });
      }
    return { accepted, refused };
  }

  #note(leftOut: readonly LeftOutServer[]): void {
    const key = ({ url, error }: LeftOutServer) => `${error.code} ${url}`;
    if (!shallow(this.#leftOut.getState().map(key), leftOut.map(key))) this.#leftOut.setState(leftOut, true);
  }
}
