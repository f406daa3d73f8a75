import { createSocket, type RemoteInfo, type Socket } from "node:dgram";
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket as TcpSocket } from "node:net";
import type { BrowserContext } from "@playwright/test";

const host = "127.0.0.1";
const bufferBytes = 4 * 1024 * 1024;

/** All that lies between some browsers, and between them and the server; it can be cut. */
export interface CuttableNetwork {
  /** Where the server is reached through it. */
  readonly url: string;
  /** From now on the pages of a context reach others through it alone. Before the first of them is opened. */
  readonly carry: (context: BrowserContext) => Promise<void>;
  /** Nothing passes between browsers any more, and nothing to and from the server unless it is to stay reachable. */
  readonly cut: (what: { readonly serverToo: boolean }) => void;
  /** Everything passes again; what connections to the server held back meanwhile is passed on, as TCP does. */
  readonly heal: () => void;
  readonly close: () => Promise<void>;
}

/**
 * Starts a network whose packets all pass through this process. Each address a page is told to reach somebody at is
 * replaced by one of ours, behind which packets go on to the true one: no relay, and so no TURN server, is needed.
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

/** Runs in the page: what the other side says of its addresses is looked up before the browser learns of it. */
function replaceCandidates(lookUp: string): void {
  const connection = RTCPeerConnection.prototype;
  const addIceCandidate: (candidate: RTCIceCandidateInit) => Promise<void> = connection.addIceCandidate;
  const setRemoteDescription: (told: RTCSessionDescriptionInit) => Promise<void> =
    connection.setRemoteDescription;
  connection.addIceCandidate = async function (this: RTCPeerConnection, told?: RTCIceCandidateInit | null) {
    const candidate: string | null = await Reflect.get(globalThis, lookUp)(told?.candidate ?? "");
    if (candidate !== null) await addIceCandidate.call(this, { ...told, candidate });
  };
  // Each of them is told by itself as well.
  connection.setRemoteDescription = function (this: RTCPeerConnection, told: RTCSessionDescriptionInit) {
    const sdp = told.sdp?.replace(/^a=candidate:.*\r\n/gm, "") ?? "";
    return setRemoteDescription.call(this, { ...told, sdp });
  };
}

/** Passes UDP on to each address that was replaced, unless cut. */
class Wires {
  isCut = false;
  readonly #sockets: Socket[] = [];
  readonly #fronts = new Map<string, Promise<number>>();

  /** A candidate that leads through here; null for one that nobody needs to reach somebody on the same machine. */
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

  /** By which the other side knows whoever writes to it. */
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

/** A line of TCP to the server that can hold back what is said on it. */
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
