/// <reference path="./negotiator.d.ts" />
import {
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { Socket } from "node:net";
import type { Duplex } from "node:stream";
import Negotiator from "negotiator";
import type { Certificate } from "./certificate.ts";
import type { ServerConfig } from "./config.ts";
import type { HttpConnections } from "./limits/http-connections.ts";
import { pieceBytes, stalledAfterMs, type UnreadBytes } from "./limits/unread-bytes.ts";
import { securityHeaders } from "./security-headers.ts";
import { findWebFile, type WebFile, type WebFiles } from "./web-files.ts";

/** The dependencies of both ports, http and https. */
export interface HttpBounds {
  readonly config: Parameters<typeof securityHeaders>[1];
  readonly connections: HttpConnections;
  readonly unread: UnreadBytes;
}

/** The dependencies of the HTTP server. */
export interface HttpEnvironment extends HttpBounds {
  readonly config: ServerConfig;
  /** Present if the server speaks https. */
  readonly certificate?: Certificate | undefined;
  readonly files: WebFiles;
  readonly isDraining: () => boolean;
  /** How long a client may read nothing of a response; by default {@link stalledAfterMs}. */
  readonly stalledMs?: number;
}

/** The most that the headers of a response take. */
const headBytes = 2_048;

interface TextAnswer {
  readonly status: number;
  readonly text: string;
  readonly headers?: OutgoingHttpHeaders;
}

export const answers = {
  alive: { status: 200, text: "ok\n" },
  ready: { status: 200, text: "ready\n" },
  draining: { status: 503, text: "draining\n" },
  notFound: { status: 404, text: "not found\n" },
  wrongMethod: { status: 405, text: "method not allowed\n", headers: { Allow: "GET, HEAD" } },
  upgradeRequired: { status: 426, text: "upgrade required\n", headers: { Upgrade: "websocket" } },
  noEncoding: {
    status: 406,
    text: "accepts none of our content codings\n",
    headers: { Vary: "Accept-Encoding" },
  },
  noHost: { status: 400, text: "the request names no host\n" },
  noBuild: {
    status: 503,
    text: "The web app is not built yet: run `npm run build`, then start the server again.\n",
  },
} satisfies Record<string, TextAnswer>;

/** Shared content reaches the server only if the service worker is gone: the page then asks to share it again. */
function sharedInVain(basePath: string): TextAnswer {
  const Location = `${basePath}share?left-out=1`;
  return { status: 303, text: `see ${Location}\n`, headers: { Location, Connection: "close" } };
}

/** @param url of the request, whose query may name a room */
function moved(basePath: string, url = ""): TextAnswer {
  // Parsed as browsers do, because its raw characters may be invalid in a header.
  const Location = basePath + new URL(url, "http://host").search;
  return { status: 308, text: `see ${Location}\n`, headers: { Location } };
}

/** The status for requests that cannot be parsed; 400 for any other error. */
const unreadable: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
  ERR_HTTP_REQUEST_TIMEOUT: 408,
};

/** The limits of a request. */
export const timeLimits = {
  headersTimeout: 5_000,
  requestTimeout: 6_000,
  connectionsCheckingInterval: 1_000,
  keepAliveTimeout: 5_000,
  maxHeaderSize: 8_192,
  // Node's own refusal would lack our headers.
  requireHostHeader: false,
};

/** A TLS handshake takes a few round trips. */
const handshakeTimeoutMs = 5_000;

/**
 * A server for the web app and the health checks, with https if there is a certificate. Cuts off slow or oversized
 * requests and clients that stop reading.
 */
export function createHttpServer(environment: HttpEnvironment): Server {
  const { certificate, connections } = environment;
  const server = bounded(
    certificate ? createSecureServer(certificate, environment) : createServer(timeLimits),
    environment,
    (request, response) => answer(request, response, environment),
  );
  server.on("upgrade", ({ socket }) => connections.forget(socket));
  return server.setTimeout(environment.stalledMs ?? stalledAfterMs);
}

/**
 * A server that redirects plain http to the same address by https.
 * @param httpsPort the port of https, once it listens
 */
export function createRedirectServer(bounds: HttpBounds, httpsPort: () => number): Server {
  return bounded(createServer(timeLimits), bounds, (request, response) => {
    setHeaders(request, response, bounds.config);
    const Location = secureAddressOf(request, httpsPort());
    const led = Location && { status: 308, text: `see ${Location}\n`, headers: { Location } };
    sendText(request, response, led || answers.noHost);
  });
}

/** @returns undefined if the request names no host to redirect to */
function secureAddressOf({ headers, url = "/" }: IncomingMessage, port: number): string | undefined {
  const { host = "" } = headers;
  if (!/^[\w.:[\]-]{1,255}$/.test(host) || !URL.canParse(`https://${host}`)) return undefined;
  const secure = new URL(`https://${host}`);
  secure.port = String(port);
  // Appended to the host as text: resolved as a URL, a path such as //example.org would lead to another host.
  return new URL(secure.origin + (url.startsWith("/") ? url : "/")).href;
}

/** Answers the requests of a server within its connection limits, and drops clients that stop reading. */
export function bounded(
  server: Server,
  { config, connections, unread }: HttpBounds,
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Server {
  /** The end of the last response on each connection. */
  const ends = new WeakMap<Socket, Promise<void>>();
  server.on("request", (request, response) => {
    const { socket } = request;
    if (!connections.asked(socket)) return;
    response.once("finish", () => connections.answered(socket));
    // One after another: the later ones of a connection would only fill memory.
    const earlier = ends.get(socket);
    ends.set(socket, new Promise((resolve) => response.once("close", resolve)));
    const answerInTurn = async () => {
      await earlier;
      await unread.reserve(socket, headBytes, isHealthCheck(request));
      if (connections.holds(socket)) answer(request, response);
    };
    // Deferred until everything received with it was parsed: a client that sends too much at once gets no answer, at
    // little cost.
    setImmediate(() => void answerInTurn());
  });
  // Without a listener, Node would refuse the `Expect` header without our headers.
  server.on("checkExpectation", (request, response) => server.emit("request", request, response));
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    const status = unreadable[error.code ?? ""] ?? 400;
    // Inside a response, another one would be read as its body.
    const mayAnswer = socket.writable && socket instanceof Socket && connections.isIdle(socket);
    if (mayAnswer) {
      socket.write(rawAnswer(status, securityHeaders({ headers: {} }, config)));
      connections.end(socket);
    } else if (socket instanceof Socket) connections.close(socket);
    else socket.destroy();
  });
  server.on("connection", (socket) => connections.opened(socket));
  server.on("timeout", (socket) => connections.timedOut(socket));
  return server.setTimeout(stalledAfterMs);
}

export function setHeaders(
  request: IncomingMessage,
  response: ServerResponse,
  config: HttpBounds["config"],
): void {
  for (const [name, value] of Object.entries(securityHeaders(request, config))) {
    if (value !== undefined) response.setHeader(name, value);
  }
}

function createSecureServer(certificate: Certificate, { connections }: HttpEnvironment): Server {
  const server = createHttpsServer({
    ...timeLimits,
    ...certificate.pair,
    handshakeTimeout: handshakeTimeoutMs,
  });
  server.on("secureConnection", (socket) => connections.secured(socket));
  certificate.onRenewed = (pair) => server.setSecureContext(pair);
  return server;
}

/** Writes a response to a raw socket and closes it. */
export function endWith(socket: Duplex, ...answer: Parameters<typeof rawAnswer>): void {
  socket.once("finish", () => socket.destroy());
  socket.end(rawAnswer(...answer));
}

function rawAnswer(status: number, headers: OutgoingHttpHeaders, text = ""): string {
  const all: OutgoingHttpHeaders = {
    ...headers,
    Connection: "close",
    "Content-Type": "text/plain",
    "Content-Length": Buffer.byteLength(text),
  };
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}`])),
  ];
  return `${head.join("\r\n")}\r\n\r\n${text}`;
}

/**
 * Removes the app's base path from a request's URL, so that nothing else has to know it. A proxy may have removed it
 * already.
 */
export function enterApp(request: IncomingMessage, basePath = "/"): void {
  if (request.url?.startsWith(basePath)) request.url = request.url.slice(basePath.length - 1);
}

function answer(request: IncomingMessage, response: ServerResponse, environment: HttpEnvironment): void {
  enterApp(request, environment.config.basePath);
  setHeaders(request, response, environment.config);
  const found = find(request, environment);
  if ("status" in found) sendText(request, response, found);
  else sendFile(request, response, found, environment.unread);
}

function find(
  request: IncomingMessage,
  { config, files, isDraining }: HttpEnvironment,
): WebFile | TextAnswer {
  if (request.headers.host === undefined && request.httpVersion !== "1.0") return answers.noHost;
  const path = readPath(request.url);
  const { basePath = "/" } = config;
  if (request.method === "POST" && path === "/share") return sharedInVain(basePath);
  if (request.method !== "GET" && request.method !== "HEAD") return answers.wrongMethod;
  const health = healthAt(path, isDraining);
  if (health) return health;
  if (`${path}/` === basePath) return moved(basePath, request.url);
  if (path === "/ws") return answers.upgradeRequired;
  if (files.size === 0) return answers.noBuild;
  return findWebFile(files, path) ?? answers.notFound;
}

/** Also behind a base path. Their answers are small, and do not wait. */
function isHealthCheck({ url = "" }: IncomingMessage): boolean {
  return /\/(?:healthz|readyz)$/.test(url);
}

/** @returns undefined for paths that are no health checks. */
export function healthAt(path: string | undefined, isDraining: () => boolean): TextAnswer | undefined {
  if (path === "/healthz") return answers.alive;
  if (path === "/readyz") return isDraining() ? answers.draining : answers.ready;
  return undefined;
}

/** @returns the path without its query, decoded; as it is if it cannot be: the app says what is wrong with its own link. */
function readPath(url = "/"): string {
  const path = url.split("?", 1)[0] ?? "/";
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

export function sendText(request: IncomingMessage, response: ServerResponse, answered: TextAnswer): void {
  const { status, text, headers } = answered;
  response.writeHead(status, {
    "Content-Type": "text/plain; charset=utf-8",
    ...headers,
    "Content-Length": Buffer.byteLength(text),
    "Cache-Control": "no-store",
  });
  response.end(request.method === "HEAD" ? undefined : text);
}

function sendFile(
  request: IncomingMessage,
  response: ServerResponse,
  file: WebFile,
  unread: UnreadBytes,
): void {
  const headers = {
    ETag: file.etag,
    Vary: "Accept-Encoding",
    // Nothing here is large enough to be fetched in parts.
    "Accept-Ranges": "none",
    "Cache-Control": file.isImmutable ? "public, max-age=31536000, immutable" : "no-cache",
  };
  if (hasCurrent(request.headers["if-none-match"], file.etag)) {
    response.writeHead(304, headers).end();
    return;
  }
  const encodings = [...file.bodies.keys()];
  const encoding = new Negotiator(request).encodings(encodings, { preferred: encodings })[0] ?? "";
  const body = file.bodies.get(encoding);
  if (body === undefined) {
    sendText(request, response, answers.noEncoding);
    return;
  }
  response.writeHead(200, {
    ...headers,
    "Content-Type": file.contentType,
    "Content-Length": body.length,
    ...(encoding !== "identity" && { "Content-Encoding": encoding }),
  });
  if (request.method === "HEAD") response.end();
  else void sendBody(body, response, request.socket, unread);
}

/** Whether a client has the file, compared weakly, as the standard asks of `If-None-Match`. */
function hasCurrent(ifNoneMatch: string | undefined, etag: string): boolean {
  const opaque = (tag: string) => tag.trim().replace(/^W\//, "");
  const known = ifNoneMatch?.split(",").map(opaque) ?? [];
  return known.includes("*") || known.includes(opaque(etag));
}

/** Hands over a piece when it fits and the one before was taken. */
async function sendBody(
  body: Buffer,
  response: ServerResponse,
  socket: Socket,
  unread: UnreadBytes,
): Promise<void> {
  for (let at = 0; at < body.length; at += pieceBytes) {
    const piece = body.subarray(at, at + pieceBytes);
    await unread.reserve(socket, piece.length);
    if (socket.destroyed) return;
    await new Promise<unknown>((resolve) => response.write(piece, resolve));
  }
  response.end();
}
