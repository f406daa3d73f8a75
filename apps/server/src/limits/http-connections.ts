import type { Socket } from "node:net";
import { TokenBucket } from "@warren/protocol";
import { systemClock } from "../clock.ts";
import type { ServerConfig } from "../config.ts";
import { toClientAddress } from "./client-address.ts";

/** Browsers and proxies send the next request once they have the answer; a client that sends this many ahead reads nothing. */
const unansweredMax = 4;
/**
 * New connections of one address; further ones are closed at once, which costs next to nothing. A class of 30 behind one
 * address opens a page together with six connections each.
 */
const newPerSecond = 40;
const newBurst = 200;
/** Addresses without connections are forgotten when this many are held. */
const sweepAt = 10_000;

type LimitSettings = Pick<ServerConfig, "limits" | "trustedProxyHops" | "tls">;

interface HttpConnection {
  readonly address: string;
  /** Tells it from all other connections of now. */
  readonly ends: string;
  /** Requests whose answer has not left yet. */
  unanswered: number;
}

/**
 * The connections that speak HTTP, and those that are to speak it once their TLS handshake is done, the longest without a request first. At a limit the new one is taken and the
 * first idle one closed, or else the first of all: a client that holds connections loses them, and no other client is kept out.
 */
export class HttpConnections {
  readonly #config: LimitSettings;
  readonly #isSecure: boolean;
  readonly #open = new Map<Socket, HttpConnection>();
  /** Connections whose TLS handshake is not done, by their ends. */
  readonly #handshakes = new Map<string, Socket>();
  readonly #perAddress = new Map<string, { held: number; readonly rate: TokenBucket }>();

  constructor(config: LimitSettings) {
    this.#config = config;
    this.#isSecure = config.tls !== undefined;
  }

  opened(socket: Socket): void {
    const { limits, trustedProxyHops } = this.#config;
    const { key, isPrivate } = toClientAddress(socket.remoteAddress ?? "");
    const factor = isPrivate ? limits.privateAddressFactor : 1;
    const rate = { perSecond: newPerSecond * factor, burst: newBurst * factor };
    const address = this.#perAddress.get(key) ?? { held: 0, rate: new TokenBucket(rate, systemClock) };
    this.#perAddress.set(key, address);
    this.#sweep();
    // Through a proxy all clients come from one address, and only the proxy can tell their connections apart.
    const isDirect = trustedProxyHops === 0;
    if (isDirect && !address.rate.take()) {
      socket.destroy();
      return;
    }
    if (isDirect && address.held >= limits.httpConnectionsPerAddress * factor) this.#closeOne(key);
    else if (this.#open.size >= limits.httpConnections) this.#closeOne();
    const ends = endsOf(socket);
    this.#open.set(socket, { address: key, ends, unanswered: 0 });
    if (this.#isSecure) this.#handshakes.set(ends, socket);
    address.held += 1;
    socket.once("close", () => this.forget(socket));
  }

  /** A TLS handshake is done: from now on requests come by this socket, in the place of the one it was opened with. */
  secured(socket: Socket): void {
    const ends = endsOf(socket);
    const raw = this.#handshakes.get(ends);
    const connection = raw && this.#open.get(raw);
    if (!connection) {
      socket.destroy(); // it has just been closed, by the client or at a limit
      return;
    }
    this.#handshakes.delete(ends);
    this.#open.delete(raw);
    this.#open.set(socket, connection);
    socket.once("close", () => this.forget(socket));
  }

  /** Closes all. */
  closeAll(): void {
    for (const socket of [...this.#open.keys()]) this.#close(socket);
  }

  /** It has become a WebSocket, which has limits of its own, or is gone. */
  forget(socket: Socket): void {
    const connection = this.#open.get(socket);
    if (!connection) return;
    this.#open.delete(socket);
    if (this.#handshakes.get(connection.ends) === socket) this.#handshakes.delete(connection.ends);
    const address = this.#perAddress.get(connection.address);
    if (address) address.held -= 1;
  }

  #sweep(): void {
    if (this.#perAddress.size < sweepAt) return;
    for (const [key, { held, rate }] of this.#perAddress)
      if (held === 0 && rate.isFull) this.#perAddress.delete(key);
  }

  /** A request has come. @returns false when it is not to be answered, and the connection is closed. */
  asked(socket: Socket): boolean {
    const connection = this.#open.get(socket);
    if (!connection || socket.destroyed) return false;
    connection.unanswered += 1;
    if (connection.unanswered > unansweredMax) {
      this.#close(socket);
      return false;
    }
    this.#open.delete(socket);
    this.#open.set(socket, connection);
    return true;
  }

  /** The answer to a request has left. */
  answered(socket: Socket): void {
    const connection = this.#open.get(socket);
    if (connection) connection.unanswered -= 1;
  }

  /** Whether it is still open, and no WebSocket. */
  holds(socket: Socket): boolean {
    return !socket.destroyed && this.#open.has(socket);
  }

  isIdle(socket: Socket): boolean {
    return this.#open.get(socket)?.unanswered === 0;
  }

  #closeOne(address?: string): void {
    let chosen: Socket | undefined;
    for (const [socket, one] of this.#open) {
      if (address !== undefined && one.address !== address) continue;
      chosen ??= socket;
      if (one.unanswered > 0) continue;
      chosen = socket;
      break;
    }
    if (chosen) this.#close(chosen);
  }

  #close(socket: Socket): void {
    this.forget(socket);
    stopParsing(socket);
    socket.destroy();
  }
}

/** Node does not reveal the socket below a TLS socket; both have the same pair of ends, which no other socket has. */
function endsOf({ remoteAddress, remotePort, localAddress, localPort }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localAddress} ${localPort}`;
}

/**
 * Node reads on to the end of what it has received, through a thousand further requests, even once the socket is
 * destroyed, and makes an error of each. It offers no way to stop that but its own parser's callback, which is set again
 * for the next connection: by this answer the next request counts as one that cannot be read, and the rest is let go.
 */
function stopParsing(socket: Socket): void {
  const parser: unknown = Reflect.get(socket, "parser");
  if (typeof parser === "object" && parser !== null) Reflect.set(parser, "onIncoming", () => -1);
}
