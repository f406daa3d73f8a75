/** Limits the speed of files during a call. */
export interface FilePace {
  readonly bytesPerSecond: number;
  /** The shortest round trip, in ms: the path without a queue. */
  readonly leastRoundTripMs: number;
  /** The last measurement: browsers measure every few seconds and repeat the values in between. */
  readonly last: Pick<CallQuality, "roundTripMs" | "reportedAtMs">;
}

/** Measurements of one second of a call. */
export interface CallQuality {
  readonly roundTripMs: number | null;
  /** The fraction of sent sound packets that were lost, 0 to 1. */
  readonly lossFraction: number | null;
  /** When the other side reported that loss, on a clock of the browser. */
  readonly reportedAtMs: number | null;
  /** Whether bandwidth limits the encoder of a watched picture. */
  readonly isShort: boolean;
  /** All bytes sent on the connection per second, files included. */
  readonly sentBytesPerSecond: number | null;
}

/** The pace at the start of a call, and of each file during it; slow enough for any line that carries a call. */
export const firstPace: FilePace = {
  bytesPerSecond: 1_000_000,
  leastRoundTripMs: Number.POSITIVE_INFINITY,
  last: { roundTripMs: null, reportedAtMs: null },
};

/** Files never stop entirely: even slow lines can spare this in most seconds. */
const leastBytesPerSecond = 32_000;
/** An increase of the round trip that indicates a queue, which also delays sound. */
const queueMs = 40;
const worstLoss = 0.01;
const growth = 1.25;
const cut = 0.6;

/**
 * The pace after another second of the call: much slower if there is a queue, loss or a lack of bandwidth, otherwise
 * somewhat faster, but not beyond what files have just reached.
 */
export function nextPace(pace: FilePace, quality: CallQuality): FilePace {
  const { roundTripMs, reportedAtMs, lossFraction, isShort, sentBytesPerSecond } = quality;
  const leastRoundTripMs = Math.min(pace.leastRoundTripMs, roundTripMs ?? Number.POSITIVE_INFINITY);
  const isQueued = roundTripMs !== null && roundTripMs - leastRoundTripMs > queueMs;
  const isLossy = lossFraction !== null && lossFraction > worstLoss;
  const isNew =
    (isQueued && roundTripMs !== pace.last.roundTripMs) ||
    (isLossy && reportedAtMs !== pace.last.reportedAtMs);
  const factor = isShort || isNew ? cut : isQueued || isLossy ? 1 : growth;
  const proven = growth * (sentBytesPerSecond ?? 0);
  const bytesPerSecond = Math.min(pace.bytesPerSecond * factor, Math.max(firstPace.bytesPerSecond, proven));
  return {
    bytesPerSecond: Math.round(Math.max(leastBytesPerSecond, bytesPerSecond)),
    leastRoundTripMs,
    last: { roundTripMs, reportedAtMs },
  };
}
