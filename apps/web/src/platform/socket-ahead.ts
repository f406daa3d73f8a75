import type { OpenSocket } from "@warren/core";
import { signallingSubprotocol } from "@warren/protocol";

interface Ahead {
  readonly socket: WebSocket;
  /** What came before anybody listened. */
  readonly received: unknown[];
  readonly listening: AbortController;
}

/** Opens a WebSocket before there is anybody to use it: its round trips pass while the rest of the page begins. */
export class SocketAhead {
  #ahead: Ahead | null = null;

  /** Opens it; an address that leads nowhere is left to {@link take}. */
  open(url: string): void {
    try {
      const socket = new WebSocket(url, signallingSubprotocol);
      const listening = new AbortController();
      const received: unknown[] = [];
      socket.addEventListener("message", ({ data }) => received.push(data), { signal: listening.signal });
      this.#ahead = { socket, received, listening };
    } catch {
      // Whoever asks for a socket of this address is told.
    }
  }

  /** The socket that was opened ahead where it is of this address and has not ended; otherwise a new one. */
  readonly take: OpenSocket = (url, protocol) => {
    const ahead = this.#ahead;
    this.#ahead = null;
    if (ahead === null) return new WebSocket(url, protocol);
    const { socket, received, listening } = ahead;
    listening.abort();
    const isUsable = socket.readyState === WebSocket.CONNECTING || socket.readyState === WebSocket.OPEN;
    if (!isUsable || new URL(url).href !== socket.url) {
      socket.close();
      return new WebSocket(url, protocol);
    }
    // By then the taker listens.
    queueMicrotask(() => {
      for (const data of received) socket.dispatchEvent(new MessageEvent("message", { data }));
    });
    return socket;
  };

  /** Closes it where nobody has taken it. */
  discard(): void {
    this.#ahead?.listening.abort();
    this.#ahead?.socket.close();
    this.#ahead = null;
  }
}
