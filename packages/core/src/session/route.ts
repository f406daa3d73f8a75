import { isPrivateAddress, readIpAddress } from "@warren/protocol/ip-address";
import { shallow } from "zustand/vanilla/shallow";
import { type Candidate, selectedPairOf } from "../ice/candidate-pair.ts";
import { connectionStatsOf } from "../ice/connection-stats.ts";
import type { Clock } from "../ports/clock.ts";
import { Emitter, type EventSource } from "../shared/emitter.ts";
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

/** A watch on a connection's route; reports it when it changes. */
export interface RouteWatch extends EventSource<{ route: [route: Route] }> {
  /** The last measurement; null while it is unknown. */
  readonly roundTripMs: number | null;
  stop(): void;
}

/**
 * Measures a connection's route now and every 5 s, and reports it when it changes. The round trip time changes with
 * nearly every measurement, so it is readable but not reported: reporting would re-render everything that shows the
 * room.
 */
export function watchRoute(getStats: () => Promise<RTCStatsReport>, clock: Clock): RouteWatch {
  const events = new Emitter<{ route: [route: Route] }>();
  let known: Route | null = null;
  let roundTripMs: number | null = null;
  let stopped = false;
  const refresh = async () => {
    // A connection that has just closed has no statistics, and this watch is about to stop.
    const report = await getStats().catch(() => null);
    const route = report === null || stopped ? null : routeOf(report);
    if (report === null || route === null) return;
    roundTripMs = connectionStatsOf(report)?.roundTripMs ?? null;
    if (known !== null && shallow(known, route)) return;
    known = route;
    events.emit("route", route);
  };
  const cancel = clock.every(refreshPeriodMs, () => void refresh());
  void refresh();
  return {
    on: events.on.bind(events),
    get roundTripMs() {
      return roundTripMs;
    },
    stop() {
      stopped = true;
      cancel();
    },
  };
}

/** Whether a candidate is in the local network: a host candidate, or one learnt from a connectivity check. */
function isNear(candidate: Candidate | undefined): boolean {
  if (candidate?.candidateType === "host") return true;
  if (candidate?.candidateType !== "prflx") return false;
  const address = candidate.address ?? candidate.ip;
  // Browsers hide the address of a peer-reflexive candidate only for mDNS names, which belong to the local network.
  return address === undefined || address === "" || isOfLocalNetwork(address);
}

function isOfLocalNetwork(address: string): boolean {
  const ip = readIpAddress(address);
  return ip ? isPrivateAddress(ip) : address.endsWith(".local");
}

function relayHostOf(candidate: Candidate): string | null {
  const host = candidate.url?.match(/^turns?:(\[[^\]]+\]|[^:?]+)/i)?.[1];
  return host ?? candidate.address ?? candidate.ip ?? null;
}
