import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { type RawData, WebSocket, WebSocketServer } from "ws";

const host = "127.0.0.1";

/** A signal between two clients, forwarded by the server. */
export type Signal = Readonly<Record<string, unknown>>;

/** A signalling frame in transit, in the terms of docs/protocol.md; unused fields are kept. */
export interface Frame {
  readonly type: string;
  readonly signal?: Signal;
  readonly [field: string]: unknown;
}

/** The destination of a frame, and functions to send more to either end of its socket. */
export interface Passage {
  readonly direction: "to-server" | "to-client";
  /** The index of the socket in order of opening, from 0. */
  readonly socket: number;
  readonly toClient: (frame: Frame) => void;
  readonly toServer: (frame: Frame) => void;
}

/** Replaces a frame by those returned; an empty list drops it. */
export type Tamper = (frame: Frame, passage: Passage) => readonly Frame[];

/** A malicious server, as seen from the network: it forwards pages unchanged and may change any frame. */
export interface EvilRelay {
  readonly url: string;
  /** Forwards frames unchanged until replaced. */
  tamper: Tamper;
  /** Every received frame from either end, unmodified. */
  readonly transcript: readonly string[];
  stop(): Promise<void>;
}

/** Starts a relay on a free port in front of the server at `serverUrl`. */
export async function startEvilRelay(serverUrl: string): Promise<EvilRelay> {
  const transcript: string[] = [];
  const sockets = new WebSocketServer({ noServer: true });
  const http = createServer((incoming, answer) => forwardPage(serverUrl, incoming, answer));
  const upstreams = new Set<WebSocket>();
  let socketCount = 0;

  http.on("upgrade", (incoming, stream, head) => {
    const upstream = openUpstream(serverUrl, incoming);
    upstreams.add(upstream);
    // The server sends at once: keep early frames until there is a listener.
    const early: RawData[] = [];
    const keep = (data: RawData) => void early.push(data);
    upstream.on("message", keep);
    upstream.once("error", () => stream.destroy());
    upstream.once("open", () => {
      sockets.handleUpgrade(incoming, stream, head, (client) => {
        const socket = socketCount++;
        const toClient = (frame: Frame) => client.send(JSON.stringify(frame));
        const toServer = (frame: Frame) => upstream.send(JSON.stringify(frame));
        const pass = (direction: Passage["direction"], data: RawData) => {
          const text = data.toString();
          transcript.push(text);
          const forward = direction === "to-client" ? toClient : toServer;
          for (const frame of relay.tamper(parseFrame(text), { direction, socket, toClient, toServer }))
            forward(frame);
        };
        upstream.off("message", keep);
        upstream.on("message", (data) => pass("to-client", data));
        client.on("message", (data) => pass("to-server", data));
        upstream.on("close", (code, reason) => end(client, code, reason));
        client.on("close", (code, reason) => end(upstream, code, reason));
        for (const data of early) pass("to-client", data);
      });
    });
  });

  http.listen(0, host);
  await once(http, "listening");
  const address = http.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  const relay: EvilRelay = {
    url: `http://${host}:${address.port}`,
    tamper: (frame) => [frame],
    transcript,
    stop: async () => {
      for (const socket of [...sockets.clients, ...upstreams]) socket.terminate();
      http.close();
      http.closeAllConnections();
      await once(http, "close");
    },
  };
  return relay;
}

/** Changes one character of base64url, flipping some bits. */
export function flipAt(text: unknown, index: number): string {
  if (typeof text !== "string") throw new TypeError("no base64url");
  const at = index % (text.length - 1);
  return `${text.slice(0, at)}${text[at] === "A" ? "B" : "A"}${text.slice(at + 1)}`;
}

function forwardPage(serverUrl: string, incoming: IncomingMessage, answer: ServerResponse): void {
  // Keep the relay's host header: the server is reached under that name.
  const { url = "/", method = "GET", headers } = incoming;
  const forwarded = request(new URL(url, serverUrl), { method, headers }, (response) => {
    answer.writeHead(response.statusCode ?? 502, response.headers);
    response.pipe(answer);
  });
  forwarded.on("error", () => answer.destroy());
  incoming.pipe(forwarded);
}

function openUpstream(serverUrl: string, { url = "/", headers }: IncomingMessage): WebSocket {
  const { host: ownHost = "", origin = "", "sec-websocket-protocol": protocol = "" } = headers;
  const address = new URL(url, serverUrl.replace(/^http/, "ws"));
  return new WebSocket(address, protocol.split(/,\s*/), { headers: { host: ownHost, origin } });
}

function parseFrame(text: string): Frame {
  const frame: unknown = JSON.parse(text);
  if (!isFrame(frame)) throw new Error(`no frame: ${text}`);
  return frame;
}

function isFrame(value: unknown): value is Frame {
  return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
}

function end(socket: WebSocket, code: number, reason: Buffer): void {
  // 1005 and 1006 mean that no code was sent, and must not be sent.
  if (code === 1005 || code === 1006) socket.terminate();
  else socket.close(code, reason);
}
