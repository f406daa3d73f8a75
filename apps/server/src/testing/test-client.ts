import {
  type ClientFrame,
  type ClientId,
  decodeServerFrame,
  type ServerFrame,
  signallingSubprotocol,
} from "@warren/protocol";
import { WebSocket } from "ws";
import type { Incarnation } from "../resume-token.ts";
import { keylessHello, type TestIdentity } from "./test-identity.ts";

type FrameOf<T extends ServerFrame["type"]> = Extract<ServerFrame, { type: T }>;

/** A made-up client id; equal numbers give equal ids. */
export function testClientId(number: number): ClientId {
  return `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
}

/** A made-up room tag. */
export function testRoomTag(letter: string): string {
  return letter.repeat(43);
}

/** A room from before a restart; higher numbers are later. */
export function testIncarnation(number = 0): Incarnation {
  return { id: String(number).padStart(22, "i"), bornAt: number };
}

/** Options for sockets that browsers would not open. */
export interface TestClientOptions {
  readonly origin?: string;
  readonly protocols?: readonly string[];
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Over TLS, with any certificate. */
  readonly isSecure?: boolean;
}

/** The options of a join. */
export interface AskOptions {
  readonly locked?: boolean;
  readonly resumeToken?: string | undefined;
}

/** A client on a real socket whose frames a test can await. */
export class TestClient {
  readonly socket: WebSocket;
  /** How the socket was closed. */
  readonly closed: Promise<{ readonly code: number; readonly reason: string }>;
  /** The nonce to sign. */
  nonce = "";
  /** The newest one received. */
  resumeToken = "";
  /** Whether the server knows the client's network. */
  mayMeetNearby = false;
  /** All frames as sent and received. */
  readonly transcript: string[] = [];
  readonly #frames: ServerFrame[] = [];
  #unansweredPings = 0;
  #wake: (() => void) | undefined;

  private constructor(socket: WebSocket) {
    this.socket = socket;
    socket.on("message", (data) => {
      this.transcript.push(String(data));
      const decoded = decodeServerFrame(String(data));
      if (!decoded.ok) throw decoded.error;
      if ("resumeToken" in decoded.value && decoded.value.resumeToken !== undefined)
        this.resumeToken = decoded.value.resumeToken;
      if (decoded.value.type === "pong") this.#unansweredPings--;
      this.#frames.push(decoded.value);
      this.#wake?.();
    });
    this.closed = new Promise((resolve) => {
      socket.on("close", (code, reason) => resolve({ code, reason: String(reason) }));
    });
    socket.on("error", () => {});
  }

  /** Opens a socket as a page of the server's host does. @throws if the server refuses the upgrade */
  static open(port: number, options: TestClientOptions = {}): Promise<TestClient> {
    const { protocols = [signallingSubprotocol], path = "/ws", isSecure = false } = options;
    const host = `localhost:${port}`;
    const { origin = `${isSecure ? "https" : "http"}://${host}` } = options;
    const headers = { ...(origin !== "" && { origin }), ...options.headers };
    const url = `${isSecure ? "wss" : "ws"}://${host}${path}`;
    const socket = new WebSocket(url, [...protocols], { headers, rejectUnauthorized: false });
    const client = new TestClient(socket);
    return new Promise((resolve, reject) => {
      socket.once("error", reject);
      client.next("challenge").then(({ nonce }) => {
        client.nonce = nonce;
        resolve(client);
      }, reject);
    });
  }

  send(frame: ClientFrame): void {
    if (frame.type === "ping") this.#unansweredPings++;
    const text = JSON.stringify(frame);
    this.transcript.push(text);
    this.socket.send(text);
  }

  /** Sends `hello`: with a key, or without one under any id. */
  async hello(who: ClientId | TestIdentity): Promise<void> {
    const { origin } = new URL(this.socket.url);
    this.send(typeof who === "string" ? keylessHello(who, origin) : await who.answer(this.nonce, origin));
    this.mayMeetNearby = (await this.next("welcome")).nearby ?? false;
  }

  /** Enters an open room. */
  join(room: string, resumeToken?: string): Promise<FrameOf<"joined">> {
    this.ask(room, { locked: false, resumeToken });
    return this.next("joined");
  }

  /** Enters the room of its network. */
  nearby(resumeToken?: string): Promise<FrameOf<"joined">> {
    this.send({ type: "nearby", ...(resumeToken !== undefined && { resumeToken }) });
    return this.next("joined");
  }

  /** Asks for a seat. */
  ask(room: string, { locked = true, resumeToken }: AskOptions = {}): void {
    this.send({ type: "join", room, locked, ...(resumeToken !== undefined && { resumeToken }) });
  }

  /** The next frame; it must be of this type. */
  async next<T extends ServerFrame["type"]>(type: T): Promise<FrameOf<T>> {
    while (this.#frames.length === 0) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const frame = this.#frames.shift();
    if (frame && isOfType(frame, type)) return frame;
    throw new Error(`expected ${type}, got ${JSON.stringify(frame)}`);
  }

  /** The frames received but not awaited, after the server has handled everything sent before. */
  async rest(): Promise<ServerFrame[]> {
    this.send({ type: "ping" });
    // The server answers each ping after the frames before it.
    while (this.#unansweredPings > 0) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const answer = this.#frames.findLastIndex(({ type }) => type === "pong");
    return this.#frames.splice(0).filter((_, index) => index !== answer);
  }

  /** Closes cleanly, as a page does. */
  async close(): Promise<void> {
    this.socket.close(1000);
    await this.closed;
  }
}

function isOfType<T extends ServerFrame["type"]>(frame: ServerFrame, type: T): frame is FrameOf<T> {
  return frame.type === type;
}
