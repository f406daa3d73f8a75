import { limits } from "@warren/protocol";

/** How long a rate is measured before it is evaluated. */
const windowMs = 2_000;
/** The gain that additional connections must reach to be kept. */
const worthwhileGain = 1.15;
/**
 * From this rate on, the limit is probably windows, socket buffers and threads waiting for each other rather than the
 * link: all connections are opened at once, and need no further gain to be kept.
 */
const fastBytesPerSecond = 4_000_000;
/** The bytes that must have moved at that rate: a short file needs no more connections. */
const fastBytes = 4 * 1024 * 1024;
/** Files often follow one another, and opening lanes takes CPU time that the first file needs. */
const idleMs = 60_000;
/** The minimum that counts as traffic between two samples: a message is smaller, the smallest file block is not. */
const movingBytes = 4_096;
/** After this long without bytes, earlier rates do not predict later ones. */
const gapMs = 1_500;
/** A lane has 10 s to open. */
const openingMs = 12_000;
/** How long a step may take to reach a good window of two seconds: rates vary widely on a lossy link. */
const trialMs = 6_000;
/** How long a failed step is not repeated; doubled with each failure in a row. */
const retryMs = 15_000;
const retryLimitMs = 300_000;
const connectionLimit = limits.lanes + 1;
/** A muted or silent microphone sends no packets for a while without ending the call. */
const callSilenceMs = 5_000;
/** A path with a round trip this short is probably fast: it does not leave the local network. */
const shortRoundTripMs = 15;

/** A measurement of the connections to a peer. */
export interface LaneSample {
  /** On the monotonic clock. */
  readonly atMs: number;
  /** Total bytes sent and received over all connections: lanes carry files both ways. */
  readonly movedBytes: number;
  /** Total bytes of audio and video on the session's own connection, both ways. */
  readonly mediaBytes: number;
  /** The connections that carry data: the session's own and the open lanes. */
  readonly connections: number;
}

/** The target of added connections, and their number before the step. */
interface Step {
  readonly from: number;
  readonly neededBytesPerSecond: number;
}

type Phase =
  /** No change before this time. */
  | { readonly name: "watching"; readonly tryAtMs: number }
  /** Lanes are opening. */
  | { readonly name: "opening"; readonly step: Step; readonly untilMs: number }
  /** Lanes are open, and their gain is being measured. */
  | { readonly name: "measuring"; readonly step: Step; readonly untilMs: number };

/** The state of {@link advanceLanes} between samples. */
export interface LaneState {
  /** The desired number of connections. */
  readonly wanted: number;
  readonly phase: Phase;
  /** The samples of the last two seconds, all with the same number of connections. */
  readonly window: readonly LaneSample[];
  /** When bytes last moved. */
  readonly movedAtMs: number;
  /** When a large transfer was last announced. */
  readonly announcedAtMs: number;
  /** The audio and video at the last sample, and when they last increased. */
  readonly mediaBytes: number;
  readonly mediaAtMs: number;
  /** Failed steps in a row. */
  readonly failures: number;
}

/** Before the first sample. */
export const initialLaneState: LaneState = {
  wanted: 1,
  phase: { name: "watching", tryAtMs: 0 },
  window: [],
  movedAtMs: Number.NEGATIVE_INFINITY,
  announcedAtMs: Number.NEGATIVE_INFINITY,
  mediaBytes: 0,
  mediaAtMs: Number.NEGATIVE_INFINITY,
  failures: 0,
};

/** Whether a path is so short that lanes may be opened before its rate is known. */
export function isShort(roundTripMs: number | null): boolean {
  return roundTripMs !== null && roundTripMs <= shortRoundTripMs;
}

/**
 * As {@link advanceLanes}, when a large transfer over a short path is announced: opens all connections now, while the
 * CPU is idle; they must prove fast as soon as data moves. Has no effect during a step or right after a failed
 * one.
 */
export function openAhead(state: LaneState, sample: LaneSample): LaneState {
  const { atMs, connections } = sample;
  const awake = advanceLanes({ ...state, announcedAtMs: atMs }, sample);
  const { phase } = awake;
  if (isCalling(awake, atMs)) return awake;
  if (phase.name !== "watching" || atMs < phase.tryAtMs || connections >= connectionLimit) return awake;
  return beginAll(awake, sample);
}

/** Whether there was no traffic for so long that lanes are closed. */
export function isIdle({ movedAtMs, announcedAtMs }: LaneState, nowMs: number): boolean {
  return nowMs - Math.max(movedAtMs, announcedAtMs) >= idleMs;
}

/** Whether traffic has started, but the rate of one connection is not known yet. */
export function isBeginning(state: LaneState, nowMs: number): boolean {
  const { phase, wanted, movedAtMs } = state;
  return phase.name === "watching" && wanted === 1 && nowMs - movedAtMs < gapMs && rateOf(state) === null;
}

/** Whether the maximum number of connections is open. */
export function isSettled({ phase, wanted }: LaneState): boolean {
  return phase.name === "watching" && wanted === connectionLimit;
}

/**
 * Decides from each sample how many connections there should be. On a fast path: eight at once, kept while they are
 * fast too. Otherwise 1 → 2 → 4 → 8, each step kept only if two seconds of it gained 15 %. Back to 1 when
 * idle, and while a call is on the session's own connection, which lanes would outnumber.
 */
export function advanceLanes(state: LaneState, sample: LaneSample): LaneState {
  const noted = note(state, sample);
  if (isIdle(noted, sample.atMs))
    return {
      ...initialLaneState,
      window: [sample],
      movedAtMs: noted.movedAtMs,
      mediaBytes: noted.mediaBytes,
      mediaAtMs: noted.mediaAtMs,
    };
  if (isCalling(noted, sample.atMs)) return watch(noted, 1, sample.atMs);
  switch (noted.phase.name) {
    case "watching":
      return whenWatching(noted, noted.phase.tryAtMs, sample);
    case "opening":
      return whenOpening(noted, noted.phase, sample);
    case "measuring":
      return whenMeasuring(noted, noted.phase, sample);
  }
}

function isCalling({ mediaAtMs }: LaneState, nowMs: number): boolean {
  return nowMs - mediaAtMs < callSilenceMs;
}

function note(state: LaneState, sample: LaneSample): LaneState {
  const { atMs } = sample;
  const previous = state.window.at(-1);
  const moved = previous === undefined || sample.movedBytes - previous.movedBytes >= movingBytes;
  const continues = previous?.connections === sample.connections && atMs - state.movedAtMs < gapMs;
  return {
    ...state,
    window: continues ? withSample(state.window, sample) : [sample],
    movedAtMs: moved ? atMs : state.movedAtMs,
    mediaBytes: sample.mediaBytes,
    mediaAtMs: sample.mediaBytes > state.mediaBytes ? atMs : state.mediaAtMs,
  };
}

/** Keeps one sample that is at least a window old, as the far end of the average. */
function withSample(window: readonly LaneSample[], sample: LaneSample): LaneSample[] {
  const next = [...window, sample];
  const start = next.findLastIndex(({ atMs }) => sample.atMs - atMs >= windowMs);
  return next.slice(Math.max(0, start));
}

/** Null while the window is too short to measure. */
function rateOf({ window }: LaneState): number | null {
  const [first] = window;
  const last = window.at(-1);
  if (first === undefined || last === undefined || last.atMs - first.atMs < windowMs) return null;
  return ((last.movedBytes - first.movedBytes) * 1_000) / (last.atMs - first.atMs);
}

/** Whether the window has enough bytes at a high rate, however short it is. */
function isFast({ window }: LaneState): boolean {
  const [first] = window;
  const last = window.at(-1);
  if (first === undefined || last === undefined) return false;
  const movedBytes = last.movedBytes - first.movedBytes;
  return movedBytes >= fastBytes && movedBytes * 1_000 >= fastBytesPerSecond * (last.atMs - first.atMs);
}

function whenWatching(state: LaneState, tryAtMs: number, sample: LaneSample): LaneState {
  const { atMs, connections } = sample;
  // A lane failed, or the peer opened or closed one.
  if (connections !== state.wanted) return watch(state, connections, atMs + windowMs);
  const isMoving = state.movedAtMs === atMs;
  if (!isMoving || atMs < tryAtMs || connections >= connectionLimit) return state;
  if (isFast(state)) return beginAll(state, sample);
  const bytesPerSecond = rateOf(state);
  if (!bytesPerSecond) return state;
  const neededBytesPerSecond = worthwhileGain * bytesPerSecond;
  return begin(state, 2 * connections, { from: connections, neededBytesPerSecond }, atMs);
}

function whenOpening(
  state: LaneState,
  { step, untilMs }: Extract<Phase, { name: "opening" }>,
  { atMs, connections }: LaneSample,
): LaneState {
  const haveCome = connections >= state.wanted;
  if (!haveCome && atMs < untilMs) return state;
  // Opened in advance; no data has moved yet.
  if (state.movedAtMs !== atMs) return state;
  // Continue with the lanes that have opened so far.
  if (connections > step.from)
    return { ...state, wanted: connections, phase: { name: "measuring", step, untilMs: atMs + trialMs } };
  return giveUp(state, connections, atMs);
}

function whenMeasuring(
  state: LaneState,
  { step, untilMs }: Extract<Phase, { name: "measuring" }>,
  { atMs, connections }: LaneSample,
): LaneState {
  if (connections < state.wanted) return watch(state, connections, atMs + windowMs);
  const bytesPerSecond = rateOf(state);
  if (bytesPerSecond === null) return state;
  if (bytesPerSecond >= step.neededBytesPerSecond) return { ...watch(state, connections, atMs), failures: 0 };
  return atMs < untilMs ? state : giveUp(state, step.from, atMs);
}

/** Opens all connections, which have to be fast but need no further gain. */
function beginAll(state: LaneState, { atMs, connections }: LaneSample): LaneState {
  const step = { from: connections, neededBytesPerSecond: fastBytesPerSecond };
  return begin(state, connectionLimit, step, atMs);
}

function begin(state: LaneState, connections: number, step: Step, atMs: number): LaneState {
  const wanted = Math.min(connectionLimit, connections);
  return { ...state, wanted, phase: { name: "opening", step, untilMs: atMs + openingMs } };
}

function watch(state: LaneState, wanted: number, tryAtMs: number): LaneState {
  return { ...state, wanted, phase: { name: "watching", tryAtMs } };
}

function giveUp(state: LaneState, wanted: number, atMs: number): LaneState {
  const waitMs = Math.min(retryLimitMs, retryMs * 2 ** state.failures);
  return { ...watch(state, wanted, atMs + waitMs), failures: state.failures + 1 };
}
