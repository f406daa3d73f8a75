import type { OpenSocket } from "@warren/core";
import { WebSocket } from "ws";

const connectTimeoutMs = 10_000;

/** A WebSocket with the browser's events; those of `ws` cannot be ended by a signal. */
class NodeSocket extends EventTarget {
  readonly #socket: WebSocket;

  constructor(url: string, protocol: string) {
    super();
    // What a page of that server would send.
    const origin = new URL(url.replace(/^ws/, "http")).origin;
    const options = { origin, perMessageDeflate: false, handshakeTimeout: connectTimeoutMs };
    this.#socket = new WebSocket(url, protocol, options);
    this.#socket.on("message", (data, isBinary) =>
      this.dispatchEvent(new MessageEvent("message", { data: isBinary ? data : String(data) })),
    );
    this.#socket.on("close", (code, reason) =>
      this.dispatchEvent(Object.assign(new Event("close"), { code, reason: String(reason) })),
    );
    this.#socket.on("error", () => {}); // `close` follows
  }

  get readyState(): number {
    return this.#socket.readyState;
  }

  send(text: string): void {
    this.#socket.send(text);
  }

  close(code?: number): void {
    this.#socket.close(code);
  }
}

export const openSocket: OpenSocket = (url, protocol) => new NodeSocket(url, protocol);
