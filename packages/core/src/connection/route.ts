import { shallow } from "zustand/vanilla/shallow";
import type { Clock } from "../ports/clock.ts";
import { type Candidate, selectedPairOf } from "./candidate-pair.ts";
import { connectionStatsOf } from "./connection-stats.ts";
import type { Route } from "./peer.ts";

const refreshPeriodMs = 5_000;

/** The route of a connection from its statistics; null before a pair of candidates is in use. */
export function routeOf(report: RTCStatsReport): Route | null {
  const selected = selectedPairOf(report);
  if (selected === null) return null;
  const { local, remote } = selected;
  const relay = [local, remote].find((candidate) => candidate?.candidateType === "relay");
  const direct = isNear(local) && isNear(remote) ? "direct-local" : "direct-internet";
  return {
    kind: relay ? "relayed" : direct,
    relayHost: relay ? relayHostOf(relay) : null,
  };
}

/** A connection's route as it is looked at. */
export interface RouteWatch {
  /** As measured last; null while it is not known. */
  readonly roundTripMs: number | null;
  stop(): void;
}

/**
 * Looks at a connection's route now and every 5 s, and reports it when it is another. The round trip time is never twice the
 * same while bytes move: it can be read and is not reported, or all that shows the room would be re-rendered.
 */
export function watchRoute(
  getStats: () => Promise<RTCStatsReport>,
  clock: Clock,
  onRoute: (route: Route) => void,
): RouteWatch {
  let known: Route | null = null;
  let roundTripMs: number | null = null;
  let stopped = false;
  const refresh = async () => {
    // A connection that has just closed has no statistics, and the watch is about to stop.
    const report = await getStats().catch(() => null);
    const route = report === null || stopped ? null : routeOf(report);
    if (report === null || route === null) return;
    roundTripMs = connectionStatsOf(report)?.roundTripMs ?? null;
    if (known !== null && shallow(known, route)) return;
    known = route;
    onRoute(route);
  };
  const cancel = clock.every(refreshPeriodMs, () => void refresh());
  void refresh();
  return {
    get roundTripMs() {
      return roundTripMs;
    },
    stop() {
      stopped = true;
      cancel();
    },
  };
}

/** Whether a candidate is of the local network: one of the machine itself, or one learnt from a check on the way. */
function isNear(candidate: Candidate | undefined): boolean {
  if (candidate?.candidateType === "host") return true;
  if (candidate?.candidateType !== "prflx") return false;
  const address = candidate.address ?? candidate.ip;
  // A browser that hides the address of a peer-reflexive candidate does so for names of the local network.
  return address === undefined || address === "" || isPrivateAddress(address);
}

function isPrivateAddress(address: string): boolean {
  return (
    /^(10\.|127\.|192\.168\.|169\.254\.|172\.(1[6-9]|2\d|3[01])\.)/.test(address) ||
    /^(::1$|f[cd][0-9a-f]{2}:|fe[89ab][0-9a-f]:)/i.test(address) ||
    address.endsWith(".local")
  );
}

function relayHostOf(candidate: Candidate): string | null {
  const host = candidate.url?.match(/^turns?:(\[[^\]]+\]|[^:?]+)/i)?.[1];
  return host ?? candidate.address ?? candidate.ip ?? null;
}
