import { createSocket, type RemoteInfo, type Socket } from "node:dgram";
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket as TcpSocket } from "node:net";
import type { BrowserContext } from "@playwright/test";

const host = "127.0.0.1";
const bufferBytes = 4 * 1024 * 1024;

/** The network between some browsers, and between them and the server; it can be cut. */
export interface CuttableNetwork {
  /** The server's address through this network. */
  readonly url: string;
  /** Routes the pages of a context through this network. Call it before the first page opens. */
  readonly carry: (context: BrowserContext) => Promise<void>;
  /** Stops all traffic between browsers, and to and from the server unless it is to remain reachable. */
  readonly cut: (what: { readonly serverToo: boolean }) => void;
  /** Restores all traffic; data held back on server connections is delivered, as in TCP. */
  readonly heal: () => void;
  readonly close: () => Promise<void>;
}

/**
 * Starts a network that routes all packets through this process. Each candidate address sent to a page is
 * replaced by one of ours, which forwards to the real one: no relay, and so no TURN server, is needed.
 */
export async function startCuttableNetwork(serverPort: number): Promise<CuttableNetwork> {
  const wires = new Wires();
  const line = await startServerLine(serverPort);
  return {
    url: `http://${host}:${line.port}`,
    carry: async (context) => {
      const name = "reachThroughNetwork";
      await context.exposeFunction(name, (candidate: string) => wires.replace(candidate));
      await context.addInitScript(replaceCandidates, name);
    },
    cut: ({ serverToo }) => {
      wires.isCut = true;
      if (serverToo) line.hold();
    },
    heal: () => {
      wires.isCut = false;
      line.release();
    },
    close: async () => {
      wires.close();
      await line.close();
    },
  };
}

/** Runs in the page: looks up the other side's addresses before the browser receives them. */
function replaceCandidates(lookUp: string): void {
  const connection = RTCPeerConnection.prototype;
  const addIceCandidate: (candidate: RTCIceCandidateInit) => Promise<void> = connection.addIceCandidate;
  const setRemoteDescription: (received: RTCSessionDescriptionInit) => Promise<void> =
    connection.setRemoteDescription;
  connection.addIceCandidate = async function (
    this: RTCPeerConnection,
    received?: RTCIceCandidateInit | null,
  ) {
    const candidate: string | null = await Reflect.get(globalThis, lookUp)(received?.candidate ?? "");
    if (candidate !== null) await addIceCandidate.call(this, { ...received, candidate });
  };
  // Candidates are also sent separately.
  connection.setRemoteDescription = function (this: RTCPeerConnection, received: RTCSessionDescriptionInit) {
    const sdp = received.sdp?.replace(/^a=candidate:.*\r\n/gm, "") ?? "";
    return setRemoteDescription.call(this, { ...received, sdp });
  };
}

/** Forwards UDP to each replaced address, unless cut. */
class Wires {
  isCut = false;
  readonly #sockets: Socket[] = [];
  readonly #fronts = new Map<string, Promise<number>>();

  /** A candidate that leads through here; null for one that is not needed on the same machine. */
  async replace(candidate: string): Promise<string | null> {
    const [foundation, component, protocol, priority, address = "", port, ...rest] = candidate.split(" ");
    if (protocol?.toLowerCase() !== "udp" || !/^[\d.]+$/.test(address)) return null;
    const target = `${address}:${port}`;
    const front = this.#fronts.get(target) ?? this.#open(address, Number(port));
    this.#fronts.set(target, front);
    return [foundation, component, protocol, priority, address, await front, ...rest].join(" ");
  }

  close(): void {
    for (const socket of this.#sockets) socket.close();
  }

  async #open(address: string, port: number): Promise<number> {
    const front = await this.#bind(address);
    const flows = new Map<string, Promise<Socket>>();
    front.on("message", (packet, from) => {
      if (this.isCut) return;
      const key = `${from.address}:${from.port}`;
      const flow = flows.get(key) ?? this.#flowBack(front, address, from);
      flows.set(key, flow);
      void flow.then((socket) => socket.send(packet, port, address));
    });
    return front.address().port;
  }

  /** The socket that represents a sender to the other side. */
  async #flowBack(front: Socket, address: string, writer: RemoteInfo): Promise<Socket> {
    const flow = await this.#bind(address);
    flow.on("message", (packet) => {
      if (!this.isCut) front.send(packet, writer.port, writer.address);
    });
    return flow;
  }

  async #bind(address: string): Promise<Socket> {
    const sizes = { recvBufferSize: bufferBytes, sendBufferSize: bufferBytes };
    const socket = createSocket({ type: "udp4", ...sizes }).bind(0, address);
    this.#sockets.push(socket);
    await once(socket, "listening");
    return socket;
  }
}

/** A TCP connection to the server that can hold data back. */
async function startServerLine(serverPort: number) {
  const sockets = new Set<TcpSocket>();
  let isHeld = false;
  const server = createServer((client) => {
    const upstream = connect(serverPort, host);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on("data", (data) => to.write(data));
      from.on("error", () => to.destroy());
      from.on("close", () => {
        sockets.delete(from);
        to.destroySoon();
      });
      if (isHeld) from.pause();
    }
  }).listen(0, host);
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    hold: () => {
      isHeld = true;
      for (const socket of sockets) socket.pause();
    },
    release: () => {
      isHeld = false;
      for (const socket of sockets) socket.resume();
    },
    close: async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, "close");
    },
  };
}
