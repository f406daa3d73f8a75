import type { Clock } from "../ports/clock.ts";
import type { Options, Servers } from "../settings/options.ts";
import { type Log, silentLog } from "../shared/log.ts";
import { type IceServers, iceServersOf, type LeftOutServer, peerConfigurationOf } from "./ice-servers.ts";
import type { TurnContext } from "./turn-credentials.ts";

// Half of the requested lifetime of credentials.
const refreshAfterMs = 12 * 3_600_000;
const failureRetryAfterMs = 30_000;
const resolveTimeoutMs = 4_000;

export interface IceConfigurationDeps {
  readonly options: () => Pick<Options, "servers" | "relayOnly">;
  readonly fetch: TurnContext["fetch"];
  /** The time by a server's clock in ms since the epoch; null if none answers. Never rejects. */
  readonly serverTime: () => Promise<number | null>;
  readonly clock: Clock;
  readonly log?: Log;
}

/** The configuration of the next connection, and the servers that it does without. */
export interface CurrentConfiguration {
  readonly configuration: RTCConfiguration;
  readonly leftOut: readonly LeftOutServer[];
}

/** Provides the configuration of the next connection; credentials are cached for half their lifetime. */
export class IceConfiguration {
  readonly #deps: IceConfigurationDeps;
  #cached: { servers: Servers; madeAt: number; staleAt: number; resolved: Promise<IceServers> } | null = null;

  constructor(deps: IceConfigurationDeps) {
    this.#deps = deps;
  }

  /**
   * Never fails: a server without credentials after 4 s is left out and logged. It is tried again 30 s later, as are
   * credentials that had to be dated by our own clock, which may be wrong.
   * @param offered relays of the signalling server, used in addition to those of the settings
   */
  async get(offered: readonly RTCIceServer[] = []): Promise<CurrentConfiguration> {
    const options = this.#deps.options();
    const now = this.#deps.clock.elapsedMs();
    const time = this.#deps.clock.now();
    if (
      this.#cached?.servers !== options.servers ||
      this.#cached.staleAt <= now ||
      // In some browsers elapsed time excludes sleep. If the clock is set, they are only fetched again.
      Math.abs(time - this.#cached.madeAt) >= refreshAfterMs
    ) {
      this.#cached = {
        servers: options.servers,
        madeAt: time,
        staleAt: now + refreshAfterMs,
        resolved: this.#resolve(options.servers),
      };
    }
    const { iceServers, leftOut } = await this.#cached.resolved;
    return { configuration: peerConfigurationOf(iceServers, { ...options, offered }), leftOut };
  }

  async #resolve(servers: Servers): Promise<IceServers> {
    const { clock, log = silentLog } = this.#deps;
    let isDatedByUs = false;
    const serverTime = async (): Promise<number> => {
      const time = await this.#deps.serverTime();
      isDatedByUs ||= time === null;
      return time ?? clock.now();
    };
    const timeout = new AbortController();
    const cancel = clock.after(resolveTimeoutMs, () => timeout.abort());
    const fetch: TurnContext["fetch"] = (url, init) =>
      this.#deps.fetch(url, { ...init, signal: timeout.signal });
    const resolved = await iceServersOf(servers, { serverTime, fetch });
    cancel();
    const { leftOut } = resolved;
    for (const { error } of leftOut)
      log.warn("left out a TURN server", { code: error.code, ...error.values });
    if ((leftOut.length > 0 || isDatedByUs) && this.#cached?.servers === servers) {
      this.#cached.staleAt = clock.elapsedMs() + failureRetryAfterMs;
    }
    return resolved;
  }
}
