/** How fast files may be sent beside a call. */
export interface FilePace {
  readonly bytesPerSecond: number;
  /** The shortest round trip seen, in ms: the path without a queue. */
  readonly leastRoundTripMs: number;
  /** What was measured last: browsers measure every few seconds and repeat the values in between. */
  readonly last: Pick<CallQuality, "roundTripMs" | "reportedAtMs">;
}

/** One second of a call. */
export interface CallQuality {
  readonly roundTripMs: number | null;
  /** The fraction of sent sound packets that were lost, 0 to 1. */
  readonly lossFraction: number | null;
  /** When the other side reported that loss, on a clock of the browser. */
  readonly reportedAtMs: number | null;
  /** Whether an encoder reduces a watched picture for lack of bandwidth. */
  readonly isShort: boolean;
  /** All bytes sent on the connection per second, files included. */
  readonly sentBytesPerSecond: number | null;
}

/** The pace at the start of a call, and of each file during it: any line that carries a call carries this. */
export const firstPace: FilePace = {
  bytesPerSecond: 1_000_000,
  leastRoundTripMs: Number.POSITIVE_INFINITY,
  last: { roundTripMs: null, reportedAtMs: null },
};

/** Files never stop entirely: even a slow line has this much to spare in most seconds. */
const leastBytesPerSecond = 32_000;
/** An increase over the shortest round trip that means a queue, in which the sound waits too. */
const queueMs = 40;
const worstLoss = 0.01;
const growth = 1.25;
const cut = 0.6;

/**
 * The pace after another second of the call: at once much slower where something waits, is lost or is short, otherwise
 * somewhat faster, but never beyond what the files just showed the line to carry.
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
