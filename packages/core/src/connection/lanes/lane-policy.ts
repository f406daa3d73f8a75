import { limits } from "@warren/protocol";

/** How long a rate is measured before it is judged. */
const windowMs = 2_000;
/** What more connections must bring to be kept. */
const worthwhileGain = 1.15;
/** From here on one connection's window, and not the line, is likely to be the limit. */
const longRoundTripMs = 15;
const lossyShare = 0.001;
const idleMs = 10_000;
/** The least that counts as moving, from one sample to the next: a message is less, a file's smallest block is not. */
const movingBytes = 4_096;
const cleanMs = 5_000;
/** After such a pause what moved before says nothing of what moves now. */
const pauseMs = 1_500;
/** A lane has 10 s to open. */
const openingMs = 12_000;
/** So long a step has to show two seconds that are worthwhile: on a lossy path rates swing widely. */
const trialMs = 6_000;
/** How long a step that brought nothing is not tried again; doubled with every such step in a row. */
const retryMs = 15_000;
const retryLimitMs = 300_000;
const connectionLimit = limits.lanes + 1;

/** What is known of the connections to another client at one moment. */
export interface LaneSample {
  /** Ms since the epoch. */
  readonly atMs: number;
  /** What all connections together have sent so far. */
  readonly sentBytes: number;
  /** The length of the path without what queues on it; null while unknown. */
  readonly roundTripMs: number | null;
  /** The share of packets lost, 0 to 1; null while unknown. */
  readonly lossShare: number | null;
  /** The connections that carry bytes: the session's own and the open lanes. */
  readonly connections: number;
}

interface Measured {
  readonly connections: number;
  readonly bytesPerSecond: number;
}

type Phase =
  /** Stays as it is, at least until then. */
  | { readonly name: "watching"; readonly tryAtMs: number }
  /** Lanes are on their way. */
  | { readonly name: "opening"; readonly before: Measured; readonly untilMs: number }
  /** Lanes have come, and must show what they bring. */
  | { readonly name: "measuring"; readonly before: Measured; readonly untilMs: number };

/** What {@link advanceLanes} remembers from one sample to the next. */
export interface LaneState {
  /** How many connections there should be. */
  readonly wanted: number;
  readonly phase: Phase;
  /** The samples of the last two seconds, all with the same number of connections. */
  readonly window: readonly LaneSample[];
  /** When bytes last moved, and when the path was last long or lossy. */
  readonly movedAtMs: number;
  readonly longAtMs: number;
  /** Steps in a row that brought nothing. */
  readonly failures: number;
}

/** Before the first sample. */
export const initialLaneState: LaneState = {
  wanted: 1,
  phase: { name: "watching", tryAtMs: 0 },
  window: [],
  movedAtMs: Number.NEGATIVE_INFINITY,
  longAtMs: Number.NEGATIVE_INFINITY,
  failures: 0,
};

/** Whether nothing has moved for so long that no lane is kept for it. */
export function isIdle({ movedAtMs }: LaneState, nowMs: number): boolean {
  return nowMs - movedAtMs >= idleMs;
}

/** Whether the path has been neither long nor lossy for so long that one connection is all it takes. */
export function isClean({ longAtMs }: LaneState, nowMs: number): boolean {
  return nowMs - longAtMs >= cleanMs;
}

/**
 * Decides from each sample how many connections there should be: 1 → 2 → 4 → 8 on a path that is long or lossy, each
 * step only kept when two seconds of it brought 15 % more, and 1 again when nothing moves or the path is clean.
 */
export function advanceLanes(state: LaneState, sample: LaneSample): LaneState {
  const noted = note(state, sample);
  if (isIdle(noted, sample.atMs))
    return { ...initialLaneState, window: [sample], movedAtMs: noted.movedAtMs };
  if (isClean(noted, sample.atMs)) return watch(noted, 1, sample.atMs);
  switch (noted.phase.name) {
    case "watching":
      return whenWatching(noted, noted.phase.tryAtMs, sample);
    case "opening":
      return whenOpening(noted, noted.phase, sample);
    case "measuring":
      return whenMeasuring(noted, noted.phase, sample);
  }
}

function note(state: LaneState, sample: LaneSample): LaneState {
  const { atMs } = sample;
  const previous = state.window.at(-1);
  const moved = previous === undefined || sample.sentBytes - previous.sentBytes >= movingBytes;
  const isLong = (sample.roundTripMs ?? 0) > longRoundTripMs || (sample.lossShare ?? 0) > lossyShare;
  const continues = previous?.connections === sample.connections && atMs - state.movedAtMs < pauseMs;
  return {
    ...state,
    window: continues ? withSample(state.window, sample) : [sample],
    movedAtMs: moved ? atMs : state.movedAtMs,
    longAtMs: isLong || state.longAtMs === Number.NEGATIVE_INFINITY ? atMs : state.longAtMs,
  };
}

/** One sample that is at least a window old stays, as the far end of the average. */
function withSample(window: readonly LaneSample[], sample: LaneSample): LaneSample[] {
  const next = [...window, sample];
  const start = next.findLastIndex(({ atMs }) => sample.atMs - atMs >= windowMs);
  return next.slice(Math.max(0, start));
}

/** Null while the window is too short to tell. */
function rateOf({ window }: LaneState): number | null {
  const [first] = window;
  const last = window.at(-1);
  if (first === undefined || last === undefined || last.atMs - first.atMs < windowMs) return null;
  return ((last.sentBytes - first.sentBytes) * 1_000) / (last.atMs - first.atMs);
}

function whenWatching(state: LaneState, tryAtMs: number, { atMs, connections }: LaneSample): LaneState {
  // A lane died, or the other side opened or closed one.
  if (connections !== state.wanted) return watch(state, connections, atMs + windowMs);
  const bytesPerSecond = rateOf(state);
  const isLong = state.longAtMs === atMs;
  if (!isLong || atMs < tryAtMs || connections >= connectionLimit || !bytesPerSecond) return state;
  const before = { connections, bytesPerSecond };
  return {
    ...state,
    wanted: Math.min(connectionLimit, 2 * connections),
    phase: { name: "opening", before, untilMs: atMs + openingMs },
  };
}

function whenOpening(
  state: LaneState,
  { before, untilMs }: Extract<Phase, { name: "opening" }>,
  { atMs, connections }: LaneSample,
): LaneState {
  const haveCome = connections >= state.wanted;
  if (!haveCome && atMs < untilMs) return state;
  // Those that have come until now must do.
  if (connections > before.connections)
    return { ...state, wanted: connections, phase: { name: "measuring", before, untilMs: atMs + trialMs } };
  return giveUp(state, connections, atMs);
}

function whenMeasuring(
  state: LaneState,
  { before, untilMs }: Extract<Phase, { name: "measuring" }>,
  { atMs, connections }: LaneSample,
): LaneState {
  if (connections < state.wanted) return watch(state, connections, atMs + windowMs);
  const bytesPerSecond = rateOf(state);
  if (bytesPerSecond === null) return state;
  if (bytesPerSecond >= worthwhileGain * before.bytesPerSecond)
    return { ...watch(state, connections, atMs), failures: 0 };
  return atMs < untilMs ? state : giveUp(state, before.connections, atMs);
}

function watch(state: LaneState, wanted: number, tryAtMs: number): LaneState {
  return { ...state, wanted, phase: { name: "watching", tryAtMs } };
}

function giveUp(state: LaneState, wanted: number, atMs: number): LaneState {
  const waitMs = Math.min(retryLimitMs, retryMs * 2 ** state.failures);
  return { ...watch(state, wanted, atMs + waitMs), failures: state.failures + 1 };
}
