import type { Socket } from "node:net";
import { TokenBucket } from "@warren/protocol";
import { systemClock } from "../clock.ts";
import type { ServerConfig } from "../config.ts";
import { toClientAddress } from "./client-address.ts";
import { endsOf } from "./send-queues.ts";
import { type Reader, reset, type UnreadBytes } from "./unread-bytes.ts";

/** Browsers and proxies wait for a response before the next request; a client this far ahead does not read responses. */
const unansweredMax = 4;
/**
 * New connections per address; more are closed at once, at little cost. Enough for a class of 30 behind one address whose
 * browsers open six connections each.
 */
const newPerSecond = 40;
const newBurst = 200;
/** What a connection may have been sent altogether to be closed whether it has read that or not. */
const littleBytes = 4_096;
/** Addresses without connections are removed once there are this many. */
const sweepAt = 10_000;

type LimitSettings = Pick<ServerConfig, "limits" | "trustedProxyHops" | "tls">;

interface HttpConnection {
  readonly address: string;
  /** As {@link endsOf} writes them. */
  readonly ends: string;
  /** Requests whose response was not sent yet. */
  unanswered: number;
  /** It ends once everything sent was read: no further request is answered. */
  isEnding: boolean;
}

/**
 * HTTP connections, including pending TLS handshakes, least recently used first. At a limit, a new connection is
 * accepted and the least recently used idle one of its address, or at the limit of all of the address with most, is closed,
 * or the first if none is idle: connections that a client holds open are closed instead of keeping others out.
 */
export class HttpConnections {
  readonly #config: LimitSettings;
  readonly #isSecure: boolean;
  readonly #unread: UnreadBytes;
  /** Node closes a connection this way after its last response. */
  readonly #destroySoon: (this: Socket) => void;
  readonly #open = new Map<Socket, HttpConnection>();
  /** Connections with a pending TLS handshake, by their ends: Node does not expose the TCP socket of a TLS socket. */
  readonly #handshakes = new Map<string, Socket>();
  readonly #perAddress = new Map<string, { held: number; readonly rate: TokenBucket }>();

  constructor(config: LimitSettings, unread: UnreadBytes) {
    this.#config = config;
    this.#isSecure = config.tls !== undefined;
    this.#unread = unread;
    const end = (socket: Socket) => this.end(socket);
    // Shared by all sockets.
    this.#destroySoon = function destroySoon(this: Socket) {
      end(this);
    };
    unread.watch(() => this.#readers());
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
    else if (this.#open.size >= limits.httpConnections) this.#closeOne(this.#busiest());
    const ends = endsOf(socket);
    this.#open.set(socket, { address: key, ends, unanswered: 0, isEnding: false });
    socket.destroySoon = this.#destroySoon;
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
    socket.destroySoon = this.#destroySoon;
    socket.once("close", () => this.forget(socket));
  }

  /** Closes all. */
  closeAll(): void {
    for (const socket of [...this.#open.keys()]) {
      this.forget(socket);
      stopParsing(socket);
      socket.destroy();
    }
  }

  /** Called when nothing was sent or received for a while. */
  timedOut(socket: Socket): void {
    if (socket.writableLength > 0) this.close(socket);
    else if (this.isIdle(socket)) this.end(socket);
  }

  /**
   * Ends a connection once the client has read everything, or stopped reading. What the system has not sent yet when a
   * connection is closed would escape all limits.
   */
  end(socket: Socket): void {
    const connection = this.#open.get(socket);
    if (connection) connection.isEnding = true;
    socket.end();
    if (connection && socket.bytesWritten >= littleBytes)
      void this.#unread.allRead(socket).then(() => socket.destroy());
    else if (socket.writableFinished) socket.destroy();
    else socket.once("finish", () => socket.destroy());
  }

  *#readers(): Iterable<Reader> {
    for (const [socket, { address }] of this.#open) yield { socket, address, end: () => this.close(socket) };
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
    if (!connection || socket.destroyed || connection.isEnding) return false;
    connection.unanswered += 1;
    if (connection.unanswered > unansweredMax) {
      this.close(socket);
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

  /** The address with most connections. */
  #busiest(): string {
    const counts = new Map<string, number>();
    for (const { address } of this.#open.values()) counts.set(address, (counts.get(address) ?? 0) + 1);
    let busiest = "";
    for (const [address, count] of counts) if (count > (counts.get(busiest) ?? 0)) busiest = address;
    return busiest;
  }

  #closeOne(ofAddress: string): void {
    let chosen: Socket | undefined;
    for (const [socket, one] of this.#open) {
      if (one.address !== ofAddress) continue;
      chosen ??= socket;
      if (one.unanswered > 0) continue;
      chosen = socket;
      break;
    }
    if (chosen) this.close(chosen);
  }

  /** Closes a connection at once, and drops what was not read. */
  close(socket: Socket): void {
    this.forget(socket);
    stopParsing(socket);
    if (socket.bytesWritten < littleBytes) socket.destroy();
    else reset(socket);
  }
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
