import type { ConnectionStats } from "@warren/core";

/** How many seconds the chart shows. */
export const trafficSeconds = 60;

/**
 * What files and calls carry over a connection, and have carried in the last minute. A connection's own upkeep is none of
 * it: nobody sends that.
 */
export interface Traffic {
  readonly receivingBytesPerSecond: number;
  readonly sendingBytesPerSecond: number;
  readonly lossShare: number | null;
  /** Bytes per second of both directions together, the latest last, one a second. */
  readonly history: readonly number[];
  /** The statistics this was worked out from last, and when, in ms. */
  readonly last: { readonly stats: ConnectionStats; readonly atMs: number } | null;
}

/** Before anything was measured. */
export const noTraffic: Traffic = {
  receivingBytesPerSecond: 0,
  sendingBytesPerSecond: 0,
  lossShare: null,
  history: [],
  last: null,
};

/**
 * Takes one more look at a connection into account; null where there is none.
 * @param atMs of any clock that only goes on.
 * @param filesMove whether a file is on its way over it. Calls are seen in the statistics.
 */
export function withStats(
  traffic: Traffic,
  stats: ConnectionStats | null,
  atMs: number,
  filesMove: boolean,
): Traffic {
  const { last, history } = traffic;
  if (stats === null) return { ...noTraffic, history: appended(history, 0) };
  const measured = { lossShare: stats.lossShare, last: { stats, atMs } };
  if (last === null || atMs <= last.atMs) return { ...traffic, ...measured };
  const isUsed = filesMove || stats.mediaBytes > last.stats.mediaBytes;
  const seconds = (atMs - last.atMs) / 1_000;
  // Another route begins to count anew.
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
