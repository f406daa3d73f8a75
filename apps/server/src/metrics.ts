import { createServer, type Server } from "node:http";
import type { ServerConfig } from "./config.ts";
import type { Counters } from "./counters.ts";
import { answers, bounded, healthAt, sendText, setHeaders, timeLimits } from "./http.ts";
import { HttpConnections } from "./limits/http-connections.ts";
import type { UnreadBytes } from "./limits/unread-bytes.ts";
import type { RelayState } from "./relay/relay.ts";

/** Values measured at the time of a scrape. */
export interface Gauges {
  readonly sockets: number;
  readonly members: number;
  readonly relay: RelayState;
  readonly lagMs: number;
}

/** Counters by the prefix of their name; the rest of the name is the label. None names a room, a person or an address. */
const families = [
  ["frames-", "warren_frames_total", "type", "Frames that clients sent; those of type signal are handed on."],
  ["refused-", "warren_refusals_total", "reason", "Sockets that were not opened."],
  ["error-", "warren_errors_total", "code", "Requests of clients that were answered with an error."],
  ["closed-", "warren_closes_total", "reason", "Sockets that the server closed."],
] as const;

const singles = [
  ["opened", "warren_sockets_opened_total", "Sockets that were opened."],
  ["socket-errors", "warren_socket_errors_total", "Sockets that failed."],
  [
    "bad-node-messages",
    "warren_bad_node_messages_total",
    "Messages of other processes that could not be read.",
  ],
] as const;

/** All metrics in the text format of Prometheus. */
export function metricsText(counters: Counters, { sockets, members, relay, lagMs }: Gauges): string {
  const lines: string[] = [];
  const add = (name: string, type: string, help: string, samples: readonly (readonly [string, number])[]) =>
    lines.push(
      `# HELP ${name} ${help}`,
      `# TYPE ${name} ${type}`,
      ...samples.map(([rest, value]) => `${name}${rest} ${value}`),
    );
  const gauge = (name: string, help: string, value: number) => add(name, "gauge", help, [["", value]]);

  gauge("warren_sockets", "Open sockets.", sockets);
  gauge("warren_members", "Sockets whose client is in a room.", members);
  gauge("warren_rooms", "Rooms that live in this process.", relay.rooms);
  gauge("warren_redis_servers", "Redis servers this process shares its rooms over.", relay.redisServers);
  gauge("warren_redis_servers_up", "Those of them that answer.", relay.redisServersUp);
  gauge("warren_event_loop_lag_seconds", "How late the event loop runs.", lagMs / 1000);
  const { rss, heapUsed } = process.memoryUsage();
  gauge("process_resident_memory_bytes", "Resident memory.", rss);
  gauge("nodejs_heap_size_used_bytes", "Heap in use.", heapUsed);
  for (const [key, name, help] of singles) add(name, "counter", help, [["", counters.totals.get(key) ?? 0]]);
  for (const [prefix, name, label, help] of families) {
    const samples = [...counters.totals]
      .filter(([key]) => key.startsWith(prefix))
      .map(([key, count]) => [`{${label}="${key.slice(prefix.length)}"}`, count] as const);
    add(name, "counter", help, samples);
  }
  const { boundsS, counts, count, sumS } = counters.joins;
  add("warren_join_seconds", "histogram", "From the opening of a socket until its client is in a room.", [
    ...boundsS.map((boundS, index) => [`_bucket{le="${boundS}"}`, counts[index] ?? 0] as const),
    ['_bucket{le="+Inf"}', count],
    ["_sum", sumS],
    ["_count", count],
  ]);
  return `${lines.join("\n")}\n`;
}

/** Enough for a few scrapers; more replace idle ones. */
const connectionsMax = 16;
const headers = { "Content-Type": "text/plain; version=0.0.4; charset=utf-8" };

/**
 * Answers only `/metrics` and the health checks. On its own port, they do not queue behind the connections of all visitors.
 */
export function createMetricsServer(
  text: () => string,
  isDraining: () => boolean,
  given: ServerConfig,
  unread: UnreadBytes,
): Server {
  const { limits } = given;
  const config = { ...given, tls: undefined, trustedProxyHops: 0 };
  const few = { ...config, limits: { ...limits, httpConnections: connectionsMax } };
  const connections = new HttpConnections(few, unread);
  return bounded(createServer(timeLimits), { config, connections, unread }, (request, response) => {
    setHeaders(request, response, config);
    const { method, url } = request;
    const isRead = method === "GET" || method === "HEAD";
    if (isRead && url === "/metrics") sendText(request, response, { status: 200, text: text(), headers });
    else sendText(request, response, (isRead && healthAt(url, isDraining)) || answers.notFound);
  });
}
