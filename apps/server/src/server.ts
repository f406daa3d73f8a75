import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";
import { limits as protocolLimits, type Rate, signallingSubprotocol } from "@warren/protocol";
import type { Logger } from "pino";
import { WebSocketServer } from "ws";
import { Certificate } from "./certificate.ts";
import { ClientConnection, ClientSocket, type ConnectionEnvironment } from "./client-connection.ts";
import { type Clock, systemClock } from "./clock.ts";
import { ConfigError, type ServerConfig } from "./config.ts";
import { Counters } from "./counters.ts";
import { createHttpServer, createRedirectServer, enterApp } from "./http.ts";
import { AddressLimits } from "./limits/address-limits.ts";
import { AdmissionBudgets } from "./limits/admission-budgets.ts";
import { type ClientAddress, readClientAddress } from "./limits/client-address.ts";
import { EventLoopLag } from "./limits/event-loop-lag.ts";
import { HttpConnections } from "./limits/http-connections.ts";
import { UnreadBytes } from "./limits/unread-bytes.ts";
import { createMetricsServer, metricsText } from "./metrics.ts";
import { Pseudonyms } from "./pseudonyms.ts";
import { MemoryRelay } from "./relay/memory-relay.ts";
import type { Relay } from "./relay/relay.ts";
import { ResumeTokens } from "./resume-token.ts";
import { NearbyTags, networkOf } from "./rooms/nearby.ts";
import { Rooms } from "./rooms/rooms.ts";
import { TurnSignIns } from "./turn-sign-ins.ts";
import { pageOriginOf, refuseUpgrade, writeRefusal } from "./upgrade.ts";
import { builtFor, readWebFiles, type WebFiles } from "./web-files.ts";
import { WriteBatch } from "./write-batch.ts";

const reportEveryMs = 60_000;
const tickEveryMs = 1_000;
/**
 * The backlog of connections to accept. A wave of new ones fills Node's default of 511, and clients then retry only after
 * 1, 3 and 7 s. The system may set a lower limit.
 */
const backlog = 4_096;
/** How long clients may take to move after the last of them was asked. */
const drainGraceMs = 3_000;
const goodbyeMs = 2_000;
/** How long a start waits for Redis. */
const redisWithinMs = 5_000;

/** Rooms in memory or shared over Redis; the code for Redis is loaded only if used. */
async function openRelay(
  { limits, redisUrls, resumeKey = "" }: ServerConfig,
  clock: Clock,
  log: Logger,
  onBadMessage: () => void,
): Promise<Relay> {
  const options = { clock, maxMembers: limits.roomMembers, frameRate: frameRateOf(limits) };
  if (redisUrls.length === 0)
    return new MemoryRelay({ ...options, budgets: new AdmissionBudgets(limits, clock) });
  const [{ RedisRelay }, { ShardedRelay }] = await Promise.all([
    import("./relay/redis-relay.ts"),
    import("./relay/sharded-relay.ts"),
  ]);
  const { privateAddressFactor } = limits;
  const shared = { ...options, privateAddressFactor, secret: resumeKey, log, onBadMessage };
  const relays = new Map(redisUrls.map((url) => [url, new RedisRelay({ ...shared, url })]));
  await Promise.all([...relays.values()].map((relay) => relay.whenUp(redisWithinMs)));
  if (![...relays.values()].every(({ isUp }) => isUp))
    log.warn("Redis does not answer: rooms are not shared until it does");
  return new ShardedRelay(relays);
}

function frameRateOf({ framesPerSecond, frameBurst }: ServerConfig["limits"]): Rate {
  return { perSecond: framesPerSecond, burst: frameBurst };
}

/** @returns the port it listens on. @throws the system's error */
function listenAt(
  server: Server,
  { port, host }: { readonly port: number; readonly host: string },
): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, backlog, () => {
      server.off("error", reject);
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : port);
    });
  });
}

/** @throws ConfigError if the web app was built for another path than BASE_PATH. */
function basePathOf({ basePath, webRoot }: ServerConfig, files: WebFiles): string {
  const built = builtFor(files);
  if (basePath !== undefined && built !== undefined && built !== basePath)
    throw new ConfigError([
      `BASE_PATH is ${basePath}, but the web app in ${webRoot} was built for ${built}: run \`BASE_PATH=${basePath} npm run build\`.`,
    ]);
  return built ?? basePath ?? "/";
}

function destroy(this: Duplex): void {
  this.destroy();
}

/** Replacements for tests. */
export interface ServerDependencies {
  readonly log: Logger;
  readonly clock?: Clock;
  readonly relay?: Relay;
  /** How late the event loop runs, in ms. */
  readonly lagMs?: () => number;
}

/** Where a server listens. */
export interface ListeningPorts {
  readonly port: number;
  readonly metricsPort: number | undefined;
  /** The port that redirects http to https. */
  readonly httpPort: number | undefined;
}

/** A signalling server that can be started once and stopped once. */
export interface SignallingServer {
  /** The path of the app on its host, with a slash at both ends. */
  readonly basePath: string;
  /** The hosts its certificate names; absent without one. */
  readonly certificateHosts: readonly string[] | undefined;
  /** @returns the ports it listens on. @throws the system's error, such as EADDRINUSE. */
  listen(): Promise<ListeningPorts>;
  /** Reads the certificate's files again, as happens every minute anyway. */
  rereadCertificate(): Promise<void>;
  /** Asks clients to move within `drainMs`, waits for them and stops; with 0 it stops at once. */
  stop(drainMs: number): Promise<void>;
}

/**
 * Builds the server: the web app, the health checks and the signalling socket at `/ws`.
 * @throws ConfigError when its certificate cannot be used, or the web app was built for another path.
 */
export async function createServer(
  given: ServerConfig,
  dependencies: ServerDependencies,
): Promise<SignallingServer> {
  const files = await readWebFiles(given.webRoot);
  const config = { ...given, basePath: basePathOf(given, files) };
  const { log, clock = systemClock } = dependencies;
  const lag = new EventLoopLag();
  const lagMs = dependencies.lagMs ?? (() => lag.averageMs);
  const { limits } = config;
  const certificate = config.tls && (await Certificate.open(config.tls, { clock, log }));
  const { allowedOrigins, serverNames, trustedProxyHops } = config;
  if (certificate?.hasWildcard && trustedProxyHops + serverNames.length + allowedOrigins.length === 0)
    log.warn(
      "TLS_CERT names hosts by a wildcard: people outside your network can only enter by those of them that are in SERVER_NAMES.",
    );
  const counters = new Counters();
  const pseudonyms = new Pseudonyms(clock);
  const addressLimits = new AddressLimits(limits, clock);
  const relay =
    dependencies.relay ?? (await openRelay(config, clock, log, () => counters.add("bad-node-messages")));
  const turn = new TurnSignIns(config.turn, clock, (address) => addressLimits.mayHaveTurn(address));
  const rooms = new Rooms(relay, new ResumeTokens(clock, config.resumeKey), clock, turn);
  const connections = new Set<ClientConnection>();
  let isDraining = false;
  let onEmpty: (() => void) | undefined;

  const unread = new UnreadBytes(systemClock);
  unread.watch(function* readers() {
    for (const connection of connections) if (connection.reader) yield connection.reader;
  });
  const httpConnections = new HttpConnections(config, unread);
  const http = createHttpServer({
    config,
    certificate,
    connections: httpConnections,
    unread,
    files,
    isDraining: () => isDraining,
  });
  const sockets = new WebSocketServer({
    noServer: true,
    WebSocket: ClientSocket,
    maxPayload: protocolLimits.signallingFrameBytes,
    maxFragments: 64,
    perMessageDeflate: false,
    clientTracking: false,
    handleProtocols: () => signallingSubprotocol,
  });
  // The answers of `ws` to requests it refuses, such as those with an invalid key, would lack our headers.
  sockets.on("wsClientError", (_error, socket, request) =>
    writeRefusal(socket, request, { status: 400, reason: "handshake" }, config),
  );
  http.on("upgrade", (request, socket, head) => upgrade(request, socket, head));

  function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    // Shared by all sockets: a closure created here would keep the request alive as long as the socket.
    socket.on("error", destroy);
    const address = readClientAddress(request, config.trustedProxyHops, warnOfProxy);
    if (config.trustedProxyHops === 0 && "x-forwarded-for" in request.headers) warnOfProxy();
    enterApp(request, config.basePath);
    const refusal = refuseUpgrade(request, address, {
      config,
      certificate,
      addressLimits,
      openSockets: () => connections.size,
      isDraining: () => isDraining,
      lagMs,
    });
    if (refusal) {
      counters.add(`refused-${refusal.reason}`);
      log.debug({ address: pseudonyms.of(address.key), reason: refusal.reason }, "upgrade refused");
      writeRefusal(socket, request, refusal, config);
    } else {
      sockets.handleUpgrade(request, socket, head, (webSocket) =>
        connect(webSocket, socket, request, address),
      );
    }
  }

  let hasWarnedOfProxy = false;
  function warnOfProxy(): void {
    if (hasWarnedOfProxy) return;
    hasWarnedOfProxy = true;
    log.warn(
      config.trustedProxyHops > 0
        ? "X-Forwarded-For names no address where TRUSTED_PROXY_HOPS looks for one: clients share a proxy's limits"
        : "X-Forwarded-For comes while TRUSTED_PROXY_HOPS is 0: if a proxy or tunnel of yours stands in front, all clients share its limits, and its name has to be in SERVER_NAMES",
    );
  }

  const environment: ConnectionEnvironment = {
    rooms,
    nearby: new NearbyTags(config.resumeKey),
    clock,
    counters,
    frameRate: frameRateOf(limits),
    log,
    pseudonyms,
    addressLimits,
    writes: new WriteBatch(),
    unread,
    naming: config,
    onClosed(connection) {
      addressLimits.closed(connection.address);
      connections.delete(connection);
      if (connections.size === 0) onEmpty?.();
    },
  };
  function connect(
    socket: ClientSocket,
    stream: Duplex,
    request: IncomingMessage,
    address: ClientAddress,
  ): void {
    addressLimits.opened(address);
    counters.add("opened");
    const page = pageOriginOf(request);
    const network = networkOf(request, address, { page, trustedProxyHops });
    connections.add(new ClientConnection(socket, stream, address, page, network, environment));
  }

  let cancelTick = clock.after(tickEveryMs, tick);
  /** One timer for all sockets. */
  function tick(): void {
    const now = clock.elapsedMs();
    for (const connection of connections) connection.tick(now);
    cancelTick = clock.after(tickEveryMs, tick);
  }

  /** Resolves when all sockets are closed or the time is over. */
  function allGone(withinMs: number): Promise<void> {
    if (connections.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const cancel = clock.after(withinMs, resolve);
      onEmpty = () => {
        cancel();
        resolve();
      };
    });
  }

  const metrics =
    config.metrics &&
    createMetricsServer(
      () =>
        metricsText(counters, {
          sockets: connections.size,
          members: [...connections].filter(({ state }) => state.status === "in-room").length,
          relay: relay.state,
          lagMs: lagMs(),
        }),
      () => isDraining,
      config,
      unread,
    );

  let redirect: Server | undefined;
  let cancelReport = clock.after(reportEveryMs, report);
  function report(): void {
    const counts = counters.take();
    if (Object.keys(counts).length > 0) {
      log.info({ sockets: connections.size, lagMs: Math.round(lagMs()), ...counts }, "last minute");
    }
    cancelReport = clock.after(reportEveryMs, report);
  }

  return {
    basePath: config.basePath,
    certificateHosts: certificate?.hosts,

    async rereadCertificate() {
      await certificate?.reread();
    },

    async listen() {
      const metricsPort = metrics && config.metrics && (await listenAt(metrics, config.metrics));
      const port = await listenAt(http, config);
      for (const served of [port, metricsPort]) if (served !== undefined) unread.serves(served);
      if (config.httpPort === undefined) return { port, metricsPort, httpPort: undefined };
      const plain = { ...config, tls: undefined };
      redirect = createRedirectServer(
        { config: plain, connections: new HttpConnections(plain, unread), unread },
        () => port,
      );
      const httpPort = await listenAt(redirect, { port: config.httpPort, host: config.host });
      unread.serves(httpPort);
      return { port, metricsPort, httpPort };
    },

    async stop(drainMs) {
      isDraining = true;
      log.info({ sockets: connections.size, drainMs }, "stopping");
      if (drainMs > 0) {
        for (const connection of connections) {
          connection.send({ type: "drain", afterMs: Math.floor(Math.random() * drainMs) });
        }
        await allGone(drainMs + drainGraceMs);
      }
      for (const connection of connections) connection.close("goingAway", "going-away");
      await allGone(goodbyeMs);
      for (const connection of connections) connection.terminate();
      cancelReport();
      cancelTick();
      unread.close();
      lag.close();
      certificate?.close();
      await relay.close();
      metrics?.close();
      metrics?.closeAllConnections();
      redirect?.close();
      redirect?.closeAllConnections();
      await new Promise<void>((resolve) => {
        http.close(() => resolve());
        httpConnections.closeAll();
      });
    },
  };
}
