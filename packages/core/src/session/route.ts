import { type IpAddress, isPrivateAddress, readIpAddress } from "@warren/protocol/ip-address";
import { shallow } from "zustand/vanilla/shallow";
import { type Candidate, selectedPairOf } from "../ice/candidate-pair.ts";
import { connectionStatsOf } from "../ice/connection-stats.ts";
import type { CancelTimer, Clock } from "../ports/clock.ts";
import { Emitting } from "../shared/emitter.ts";
import type { Route } from "./peer.ts";

const refreshPeriodMs = 5_000;

/** The route of a connection from its statistics; null before a pair of candidates is in use. */
export function routeOf(report: RTCStatsReport): Route | null {
  const selected = selectedPairOf(report);
  if (selected === null) return null;
  const { local, remote } = selected;
  const relay = [local, remote].find((candidate) => candidate?.candidateType === "relay");
  const isLocal = isNear(local, remote) && isNear(remote, local);
  const direct = isLocal ? "direct-local" : "direct-internet";
  return {
    kind: relay ? "relayed" : direct,
    relayHost: relay ? relayHostOf(relay) : null,
  };
}

/**
 * Measures a connection's route now and every 5 s, and reports it when it changes. The round trip time changes with
 * nearly every measurement, so it is readable but not reported: reporting would re-render everything that shows the
 * room.
 */
export class RouteWatch extends Emitting<{ route: [route: Route] }> {
  readonly #getStats: () => Promise<RTCStatsReport>;
  readonly #cancel: CancelTimer;
  #known: Route | null = null;
  #roundTripMs: number | null = null;
  #isStopped = false;

  constructor(getStats: () => Promise<RTCStatsReport>, clock: Clock) {
    super();
    this.#getStats = getStats;
    this.#cancel = clock.every(refreshPeriodMs, () => void this.#refresh());
    void this.#refresh();
  }

  /** The last measurement; null while it is unknown. */
  get roundTripMs(): number | null {
    return this.#roundTripMs;
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancel();
  }

  async #refresh(): Promise<void> {
    // A connection that has just closed has no statistics, and this watch is about to stop.
    const report = await this.#getStats().catch(() => null);
    const route = report === null || this.#isStopped ? null : routeOf(report);
    if (report === null || route === null) return;
    this.#roundTripMs = connectionStatsOf(report)?.roundTripMs ?? null;
    if (this.#known !== null && shallow(this.#known, route)) return;
    this.#known = route;
    this.emit("route", route);
  }
}

/**
 * Whether a candidate is in the local network, as far as can be told: a host candidate, or one learnt from a connectivity check.
 * Browsers hide the address of either only as an mDNS name, which belongs to the local network.
 */
function isNear(candidate: Candidate | undefined, other: Candidate | undefined): boolean {
  if (candidate?.candidateType !== "host" && candidate?.candidateType !== "prflx") return false;
  const ip = ipOf(candidate);
  if (ip === null || isPrivateAddress(ip)) return true;
  // Machines of a data centre have public addresses, and so has everybody with IPv6.
  const otherIp = ipOf(other);
  return otherIp === null ? candidate.candidateType === "host" : isSameNetwork(ip, otherIp);
}

/** Null if it is hidden. */
function ipOf(candidate: Candidate | undefined): IpAddress | null {
  return readIpAddress(candidate?.address ?? candidate?.ip ?? "");
}

function isSameNetwork(one: IpAddress, other: IpAddress): boolean {
  return one.kind() === other.kind() && one.match(other, one.kind() === "ipv6" ? 64 : 24);
}

function relayHostOf(candidate: Candidate): string | null {
  const host = candidate.url?.match(/^turns?:(\[[^\]]+\]|[^:?]+)/i)?.[1];
  return host ?? candidate.address ?? candidate.ip ?? null;
}
