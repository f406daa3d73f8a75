import { type ConnectionStats, connectionStatsOf } from "@warren/core";
import { useState } from "react";
import { isMoving } from "../../file-state/file-state.ts";
import { useAbortableEffect } from "../../ui/hooks/use-abortable-effect.ts";
import { useWarren } from "../../wiring/warren-context.ts";

/** The number of seconds in the chart. */
export const trafficSeconds = 60;

/**
 * The current traffic of files and calls over a connection, and that of the last minute. Excludes the
 * connection's own overhead, which is not user data.
 */
export interface Traffic {
  readonly receivingBytesPerSecond: number;
  readonly sendingBytesPerSecond: number;
  readonly lossFraction: number | null;
  /** Bytes per second in both directions together, one value per second, latest last. */
  readonly history: readonly number[];
  /** The previous statistics, and their time in ms. */
  readonly last: { readonly stats: ConnectionStats; readonly atMs: number } | null;
}

/** The state before the first measurement. */
export const noTraffic: Traffic = {
  receivingBytesPerSecond: 0,
  sendingBytesPerSecond: 0,
  lossFraction: null,
  history: [],
  last: null,
};

/**
 * Adds a measurement of a connection; null without one.
 * @param atMs from any monotonic clock.
 * @param filesMove whether a file is being transferred over it. Calls are detected in the statistics.
 */
export function withStats(
  traffic: Traffic,
  stats: ConnectionStats | null,
  atMs: number,
  filesMove: boolean,
): Traffic {
  const { last, history } = traffic;
  if (stats === null) return { ...noTraffic, history: appended(history, 0) };
  const measured = { lossFraction: stats.lossFraction, last: { stats, atMs } };
  if (last === null || atMs <= last.atMs) return { ...traffic, ...measured };
  const isUsed = filesMove || stats.mediaBytes > last.stats.mediaBytes;
  const seconds = (atMs - last.atMs) / 1_000;
  // A new route restarts the counters.
  const perSecond = (now: number, before: number) => (isUsed ? Math.max(0, now - before) / seconds : 0);
  const receivingBytesPerSecond = perSecond(stats.receivedBytes, last.stats.receivedBytes);
  const sendingBytesPerSecond = perSecond(stats.sentBytes, last.stats.sentBytes);
  return {
    ...measured,
    receivingBytesPerSecond,
    sendingBytesPerSecond,
    history: appended(history, receivingBytesPerSecond + sendingBytesPerSecond),
  };
}

function appended(history: readonly number[], bytesPerSecond: number): readonly number[] {
  return [...history, bytesPerSecond].slice(-trafficSeconds);
}

const periodMs = 1_000;

/** A connection's statistics, updated every second. */
export interface ConnectionReport {
  /** The browser's report; null while there is no connection. */
  readonly report: RTCStatsReport | null;
  readonly traffic: Traffic;
}

const noReport: ConnectionReport = { report: null, traffic: noTraffic };

/** Polls the connection to a peer every second. */
export function useConnectionReport(peerId: string): ConnectionReport {
  const { room, transfers } = useWarren();
  const [state, setState] = useState(noReport);
  useAbortableEffect(
    (signal) => {
      const poll = async (): Promise<void> => {
        // A connection that has just closed has no statistics.
        const report = await room.getStats(peerId).catch(() => null);
        if (signal.aborted) return;
        const stats = report && connectionStatsOf(report);
        const atMs = performance.now();
        const filesMove = [...transfers.store.getState().values()].some(
          (transfer) => transfer.peerId === peerId && isMoving(transfer),
        );
        setState(({ traffic }) => ({ report, traffic: withStats(traffic, stats, atMs, filesMove) }));
      };
      void poll();
      const timer = setInterval(() => void poll(), periodMs);
      signal.addEventListener("abort", () => clearInterval(timer));
    },
    [room, transfers, peerId],
  );
  return state;
}
