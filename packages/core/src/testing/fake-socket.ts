import type { Socket } from "../signalling/signalling-socket.ts";

/** The client's end of a WebSocket; the test controls the server's end. */
export class FakeSocket extends EventTarget implements Socket {
  readonly url: string;
  readonly protocol: string;
  /** As in browsers: 0 while it connects, 1 once open, 3 once closed. */
  readyState: 0 | 1 | 3 = 0;
  /** The server's end: receives the client's frames and its close. */
  onSent: (frame: string) => void = () => {};
  onClosed: (code?: number) => void = () => {};

  constructor(url: string, protocol: string) {
    super();
    this.url = url;
    this.protocol = protocol;
  }

  send(data: string | ArrayBufferLike | Blob | ArrayBufferView): void {
    if (this.readyState !== 1) throw new DOMException("not open", "InvalidStateError");
    if (typeof data !== "string") throw new TypeError("text only");
    this.onSent(data);
  }

  close(code?: number): void {
    if (this.readyState === 3) return;
    this.readyState = 3;
    this.onClosed(code);
  }

  /** The server accepts the connection. */
  accept(): void {
    if (this.readyState !== 0) return;
    this.readyState = 1;
    this.dispatchEvent(new Event("open"));
  }

  /** The server sends a frame. */
  receive(data: string): void {
    if (this.readyState === 1) this.dispatchEvent(new MessageEvent("message", { data }));
  }

  /** The server or the network ends the connection. */
  end(code: number, reason = ""): void {
    if (this.readyState === 3) return;
    this.readyState = 3;
    // Node 20 has no CloseEvent.
    this.dispatchEvent(Object.assign(new Event("close"), { code, reason, wasClean: code !== 1006 }));
    this.onClosed();
  }
}
