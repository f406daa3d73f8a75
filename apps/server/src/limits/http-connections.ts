import type { Socket } from "node:net";
import { TokenBucket } from "@warren/protocol";
import { systemClock } from "../clock.ts";
import type { ServerConfig } from "../config.ts";
import { toClientAddress } from "./client-address.ts";

/** Browsers and proxies wait for a response before the next request; a client this far ahead does not read responses. */
const unansweredMax = 4;
/**
 * New connections per address; more are closed at once, at little cost. Enough for a class of 30 behind one address whose
 * browsers open six connections each.
 */
const newPerSecond = 40;
const newBurst = 200;
/** Addresses without connections are removed once there are this many. */
const sweepAt = 10_000;

type LimitSettings = Pick<ServerConfig, "limits" | "trustedProxyHops" | "tls">;

interface HttpConnection {
  readonly address: string;
  /** Unique among open connections. */
  readonly ends: string;
  /** Requests whose response was not sent yet. */
  unanswered: number;
}

/**
 * HTTP connections, including pending TLS handshakes, least recently used first. At a limit, a new connection is
 * accepted and the least recently used idle one closed, or the first of all if none is idle: connections that a client
 * holds open are closed instead of keeping others out.
 */
export class HttpConnections {
  readonly #config: LimitSettings;
  readonly #isSecure: boolean;
  readonly #open = new Map<Socket, HttpConnection>();
  /** Connections with a pending TLS handshake, by their endpoints. */
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
    // Behind a proxy all clients have one address, and only the proxy can distinguish them.
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

  /** After the TLS handshake: requests arrive on this socket instead of the one that was accepted. */
  secured(socket: Socket): void {
    const ends = endsOf(socket);
    const raw = this.#handshakes.get(ends);
    const connection = raw && this.#open.get(raw);
    if (!connection) {
      socket.destroy(); // closed meanwhile, by the client or at a limit
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

  /** Stops counting an upgraded or closed connection. WebSockets have their own limits. */
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

  /** Counts a request. @returns false if it must not be answered; its connection is then closed. */
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

  /** Call once the response to a request was sent. */
  answered(socket: Socket): void {
    const connection = this.#open.get(socket);
    if (connection) connection.unanswered -= 1;
  }

  /** Whether the connection is open and not upgraded. */
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

/** Identifies the TCP socket of a TLS socket, which Node does not expose: both have the same, unique endpoints. */
function endsOf({ remoteAddress, remotePort, localAddress, localPort }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localAddress} ${localPort}`;
}

/**
 * Node parses everything it has received, even a thousand further requests on a destroyed socket, and creates an error for
 * each. The only way to stop it is its parser's callback, which Node sets again for the next connection: returning -1 makes
 * the parser stop and drop the rest.
 */
function stopParsing(socket: Socket): void {
  const parser: unknown = Reflect.get(socket, "parser");
  if (typeof parser === "object" && parser !== null) Reflect.set(parser, "onIncoming", () => -1);
}
