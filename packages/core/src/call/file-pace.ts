/** How fast files may be sent beside a call. */
export interface FilePace {
  readonly bytesPerSecond: number;
  /** The shortest round trip seen, in ms: what the line takes when nothing waits on it. */
  readonly leastRoundTripMs: number;
}

/** What the call measured since the last time. */
export interface CallQuality {
  readonly roundTripMs: number | null;
  /** Of the packets we sent, 0 to 1. */
  readonly lossShare: number | null;
}

/** How files begin when a call does: any line that carries a call carries that. */
export const firstPace: FilePace = { bytesPerSecond: 1_000_000, leastRoundTripMs: Number.POSITIVE_INFINITY };

/** Files never stand still: even a slow line has so much to spare in most seconds. */
const leastBytesPerSecond = 32_000;
const mostBytesPerSecond = 1_000_000_000;
/** More than this beyond the shortest round trip is a queue that the sound waits in. */
const queueMs = 40;
const worstLoss = 0.01;

/** Takes in a second of the call: faster while nothing waits or is lost, at once much slower when something does. */
export function nextPace(pace: FilePace, { roundTripMs, lossShare }: CallQuality): FilePace {
  const leastRoundTripMs = Math.min(pace.leastRoundTripMs, roundTripMs ?? Number.POSITIVE_INFINITY);
  const isQueued = roundTripMs !== null && roundTripMs - leastRoundTripMs > queueMs;
  const isLossy = lossShare !== null && lossShare > worstLoss;
  const factor = isQueued || isLossy ? 0.6 : 1.25;
  const bytesPerSecond = Math.round(
    Math.min(mostBytesPerSecond, Math.max(leastBytesPerSecond, pace.bytesPerSecond * factor)),
  );
  return { bytesPerSecond, leastRoundTripMs };
}
