import { connectionStatsOf } from "@warren/core";
import { useEffect, useState } from "react";
import { isMoving } from "../../file-state/file-state.ts";
import { useWarren } from "../../ui/warren-context.tsx";
import { noTraffic, type Traffic, withStats } from "./traffic.ts";

const periodMs = 1_000;

/** A connection's statistics, updated every second. */
export interface ConnectionReport {
  /** The browser's report; null while there is no connection. */
  readonly report: RTCStatsReport | null;
  readonly traffic: Traffic;
}

const nothing: ConnectionReport = { report: null, traffic: noTraffic };

/** Polls the connection to a client every second. */
export function useConnectionReport(clientId: string): ConnectionReport {
  const { room, transfers } = useWarren();
  const [state, setState] = useState(nothing);
  useEffect(() => {
    let isCurrent = true;
    const look = async (): Promise<void> => {
      // A connection that has just closed has no statistics.
      const report = await room.getStats(clientId).catch(() => null);
      if (!isCurrent) return;
      const stats = report && connectionStatsOf(report);
      const atMs = performance.now();
      const filesMove = Object.values(transfers.store.getState()).some(
        (transfer) => transfer.peerId === clientId && isMoving(transfer),
      );
      setState(({ traffic }) => ({ report, traffic: withStats(traffic, stats, atMs, filesMove) }));
    };
    void look();
    const timer = setInterval(() => void look(), periodMs);
    return () => {
      isCurrent = false;
      clearInterval(timer);
    };
  }, [room, transfers, clientId]);
  return state;
}
