import type { Socket } from "node:net";
import type { ServerConfig } from "../config.ts";
import { toClientAddress } from "./client-address.ts";

/** Browsers and proxies send the next request once they have the answer; whoever sends this many ahead reads nothing. */
const unansweredMax = 4;

interface Connection {
  readonly address: string;
  /** Requests whose answer has not left yet. */
  unanswered: number;
}

/**
 * The connections that speak plain HTTP, the longest without a request first. At a limit the new one is taken and the
 * first idle one closed, or else the first of all: whoever holds connections loses those, and nobody else is kept out.
 */
export class HttpConnections {
  readonly #config: Pick<ServerConfig, "limits" | "trustedProxyHops">;
  readonly #open = new Map<Socket, Connection>();
  readonly #perAddress = new Map<string, number>();

  constructor(config: Pick<ServerConfig, "limits" | "trustedProxyHops">) {
    this.#config = config;
  }

  opened(socket: Socket): void {
    const { limits, trustedProxyHops } = this.#config;
    const { key, isPrivate } = toClientAddress(socket.remoteAddress ?? "");
    const factor = isPrivate ? limits.privateAddressFactor : 1;
    const held = this.#perAddress.get(key) ?? 0;
    // Through a proxy all clients come from one address, and only the proxy can tell their connections apart.
    if (trustedProxyHops === 0 && held >= limits.httpConnectionsPerAddress * factor) this.#closeOne(key);
    else if (this.#open.size >= limits.httpConnections) this.#closeOne();
    this.#open.set(socket, { address: key, unanswered: 0 });
    this.#perAddress.set(key, (this.#perAddress.get(key) ?? 0) + 1);
    socket.once("close", () => this.forget(socket));
  }

  /** It has become a WebSocket, which has limits of its own, or is gone. */
  forget(socket: Socket): void {
    const connection = this.#open.get(socket);
    if (!connection) return;
    this.#open.delete(socket);
    const left = (this.#perAddress.get(connection.address) ?? 0) - 1;
    if (left > 0) this.#perAddress.set(connection.address, left);
    else this.#perAddress.delete(connection.address);
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

  isIdle(socket: Socket): boolean {
    return this.#open.get(socket)?.unanswered === 0;
  }

  #closeOne(address?: string): void {
    const candidates = [...this.#open].filter(([, one]) => address === undefined || one.address === address);
    const [socket] = candidates.find(([, { unanswered }]) => unanswered === 0) ?? candidates[0] ?? [];
    if (socket) this.#close(socket);
  }

  #close(socket: Socket): void {
    this.forget(socket);
    stopParsing(socket);
    socket.destroy();
  }
}

/**
 * Node reads on to the end of what it has received, through a thousand further requests, even once the socket is
 * destroyed. It offers no way to stop that but its own parser's; without that one the rest is only read in vain.
 */
function stopParsing(socket: Socket): void {
  const parser: unknown = Reflect.get(socket, "parser");
  if (typeof parser !== "object" || parser === null) return;
  const pause: unknown = Reflect.get(parser, "pause");
  if (typeof pause === "function") pause.call(parser);
}
