/** The client's end of a WebSocket; the test controls the server's end. */
export class FakeSocket extends EventTarget implements WebSocket {
  readonly CONNECTING = 0;
  readonly OPEN = 1;
  readonly CLOSING = 2;
  readonly CLOSED = 3;
  binaryType: BinaryType = "blob";
  readonly bufferedAmount = 0;
  readonly extensions = "";
  onclose: WebSocket["onclose"] = null;
  onerror: WebSocket["onerror"] = null;
  onmessage: WebSocket["onmessage"] = null;
  onopen: WebSocket["onopen"] = null;
  readonly url: string;
  readonly protocol: string;
  readyState: WebSocket["readyState"] = 0;
  /** The server's end: receives the client's frames and its close. */
  onSent: (frame: string) => void = () => {};
  onClosed: (code?: number) => void = () => {};

  constructor(url: string, protocol: string) {
    super();
    this.url = url;
    this.protocol = protocol;
  }

  send(data: string | ArrayBufferLike | Blob | ArrayBufferView): void {
    if (this.readyState !== this.OPEN) throw new DOMException("not open", "InvalidStateError");
    if (typeof data !== "string") throw new TypeError("text only");
    this.onSent(data);
  }

  close(code?: number): void {
    if (this.readyState === this.CLOSED) return;
    this.readyState = this.CLOSED;
    this.onClosed(code);
  }

  /** The server accepts the connection. */
  accept(): void {
    if (this.readyState !== this.CONNECTING) return;
    this.readyState = this.OPEN;
    this.dispatchEvent(new Event("open"));
  }

  /** The server sends a frame. */
  receive(data: string): void {
    if (this.readyState === this.OPEN) this.dispatchEvent(new MessageEvent("message", { data }));
  }

  /** The server or the network ends the connection. */
  end(code: number, reason = ""): void {
    if (this.readyState === this.CLOSED) return;
    this.readyState = this.CLOSED;
    // Node 20 has no CloseEvent.
    this.dispatchEvent(Object.assign(new Event("close"), { code, reason, wasClean: code !== 1006 }));
    this.onClosed();
  }
}
