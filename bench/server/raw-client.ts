import { connect, type Socket } from "node:net";
import { signallingSubprotocol } from "@warren/protocol";

const mask = Buffer.from([0x37, 0xfa, 0x21, 0x3d]);

/** A text frame as sent by a client. */
export function maskedFrame(text: string): Buffer {
  const payload = Buffer.from(text);
  for (let i = 0; i < payload.length; i++) payload[i] = (payload[i] ?? 0) ^ (mask[i % 4] ?? 0);
  const size = Buffer.alloc(payload.length < 126 ? 2 : 4);
  size[0] = 0x81;
  size[1] = 0x80 | Math.min(payload.length, 126);
  if (payload.length >= 126) size.writeUInt16BE(payload.length, 2);
  return Buffer.concat([size, mask, payload]);
}

/**
 * A WebSocket client with minimal cost, so that on a shared machine the load leaves the CPU to the server:
 * frames to send are encoded beforehand, and incoming frames are counted by their headers.
 */
export class RawClient {
  readonly #socket: Socket;
  #pending: Buffer = Buffer.alloc(0);
  #isOpen = false;
  readonly #texts: string[] = [];
  #wake: (() => void) | undefined;
  /** Called for every frame once the client is in its room; earlier frames are queued for `next`. */
  onFrame: (() => void) | undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on("data", (chunk) => this.#read(chunk));
    socket.on("error", () => {});
    socket.on("close", () => this.#wake?.());
  }

  static async open(port: number): Promise<RawClient> {
    const socket = connect(port, "127.0.0.1");
    socket.setNoDelay(true);
    const client = new RawClient(socket);
    const headers = [
      "GET /ws HTTP/1.1",
      `Host: 127.0.0.1:${port}`,
      "Connection: Upgrade",
      "Upgrade: websocket",
      `Origin: http://127.0.0.1:${port}`,
      "Sec-WebSocket-Version: 13",
      "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
      `Sec-WebSocket-Protocol: ${signallingSubprotocol}`,
    ];
    socket.write(`${headers.join("\r\n")}\r\n\r\n`);
    while (!client.#isOpen) await client.#change();
    return client;
  }

  write(frame: Buffer): void {
    this.#socket.write(frame);
  }

  send(text: string): void {
    this.write(maskedFrame(text));
  }

  /** Drops the connection without closing it, like a lost network. */
  drop(): void {
    this.#socket.destroy();
  }

  /** Resolves with the next frame of a type; others before it are skipped. */
  async next(type: string): Promise<string> {
    for (;;) {
      const text = this.#texts.shift();
      if (text?.startsWith(`{"type":"${type}"`)) return text;
      if (text === undefined) await this.#change();
    }
  }

  #change(): Promise<void> {
    if (this.#socket.destroyed) throw new Error("the server closed the socket");
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  #read(chunk: Buffer): void {
    let data = this.#pending.length > 0 ? Buffer.concat([this.#pending, chunk]) : chunk;
    if (!this.#isOpen) {
      const end = data.indexOf("\r\n\r\n");
      if (end >= 0) {
        if (!data.subarray(0, 12).equals(Buffer.from("HTTP/1.1 101")))
          throw new Error(String(data.subarray(0, end)));
        this.#isOpen = true;
        data = data.subarray(end + 4);
      }
    }
    let offset = 0;
    while (this.#isOpen && data.length >= offset + 2) {
      const short = (data[offset + 1] ?? 0) & 0x7f;
      const header = short === 126 ? 4 : 2;
      if (data.length < offset + header) break;
      const size = short === 126 ? data.readUInt16BE(offset + 2) : short;
      if (data.length < offset + header + size) break;
      const isText = ((data[offset] ?? 0) & 0x0f) === 1;
      if (isText && this.onFrame) this.onFrame();
      else if (isText) this.#texts.push(data.toString("utf8", offset + header, offset + header + size));
      offset += header + size;
    }
    this.#pending = Buffer.from(data.subarray(offset));
    this.#wake?.();
  }
}
