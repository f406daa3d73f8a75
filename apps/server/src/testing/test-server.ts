import { Writable } from "node:stream";
import { pino } from "pino";
import { readConfig, type ServerConfig, type ServerLimits } from "../config.ts";
import type { Relay } from "../relay/relay.ts";
import { createServer } from "../server.ts";
import { ManualClock } from "./manual-clock.ts";
import { TestClient, testClientId } from "./test-client.ts";
import type { TestIdentity } from "./test-identity.ts";

/** Settings a test changes. */
export interface TestServerOptions extends Partial<Omit<ServerConfig, "limits">> {
  readonly limits?: Partial<ServerLimits>;
  readonly lagMs?: () => number;
  readonly relay?: Relay;
  readonly clock?: ManualClock;
}

/** A server on a free port whose clock the test controls. */
export interface TestServer {
  readonly port: number;
  readonly metricsPort: number | undefined;
  readonly httpPort: number | undefined;
  readonly clock: ManualClock;
  /** The log so far, at the finest level. */
  readonly logText: () => string;
  readonly stop: (drainMs: number) => Promise<void>;
  /**
   * A client that has sent `hello`, with a key or as {@link testClientId}(number) without one.
   * @param ip its address as reported by a trusted proxy
   */
  readonly client: (who: number | TestIdentity, ip?: string) => Promise<TestClient>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Starts a server; `await using` stops it. */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const { limits, lagMs = () => 0, relay, clock = new ManualClock(), ...rest } = options;
  let logText = "";
  const destination = new Writable({
    write(chunk, _encoding, done) {
      logText += String(chunk);
      done();
    },
  });
  const defaults = readConfig({ PORT: "0", HOST: "localhost", WEB_ROOT: "/nonexistent" });
  const config = { ...defaults, ...rest, limits: { ...defaults.limits, ...limits } };
  const log = pino({ level: "trace" }, destination);
  const server = await createServer(config, { clock, lagMs, log, ...(relay && { relay }) });
  const ports = await server.listen();
  const clients: TestClient[] = [];
  return {
    ...ports,
    clock,
    logText: () => logText,
    stop: (drainMs) => server.stop(drainMs),
    async client(who, ip) {
      const headers = ip === undefined ? {} : { "x-forwarded-for": ip };
      const client = await TestClient.open(ports.port, { headers });
      clients.push(client);
      await client.hello(typeof who === "number" ? testClientId(who) : who);
      return client;
    },
    async [Symbol.asyncDispose]() {
      for (const client of clients) client.socket.terminate();
      await server.stop(0);
    },
  };
}
