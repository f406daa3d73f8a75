import { limits } from "@warren/protocol";

/** How long a rate is measured before it is judged. */
const windowMs = 2_000;
/** What more connections must bring to be kept. */
const worthwhileGain = 1.15;
/**
 * From here on windows, the buffers of sockets and threads that wait for one another are likely to be the limit and not
 * the line: all connections are opened at once, and need not bring more to be kept.
 */
const fastBytesPerSecond = 4_000_000;
/** What has moved so fast by then: a file that is over in a moment needs no more connections. */
const fastBytes = 4 * 1024 * 1024;
/** Files often follow one another, and opening lanes takes time of the processor that the first of them needs. */
const idleMs = 60_000;
/** The least that counts as moving, from one sample to the next: a message is less, a file's smallest block is not. */
const movingBytes = 4_096;
/** After such a pause what moved before says nothing of what moves now. */
const pauseMs = 1_500;
/** A lane has 10 s to open. */
const openingMs = 12_000;
/** So long a step has to show two seconds that are worthwhile: on a lossy line rates swing widely. */
const trialMs = 6_000;
/** How long a step that brought nothing is not tried again; doubled with every such step in a row. */
const retryMs = 15_000;
const retryLimitMs = 300_000;
const connectionLimit = limits.lanes + 1;
/** A way is likely to be fast whose packets are there and back so soon: it does not leave the local network. */
const shortRoundTripMs = 15;

/** What is known of the connections to another client at one moment. */
export interface LaneSample {
  /** By the clock of time that has passed. */
  readonly atMs: number;
  /** What all connections together have sent and received so far: lanes carry files both ways. */
  readonly movedBytes: number;
  /** The connections that carry bytes: the session's own and the open lanes. */
  readonly connections: number;
}

/** What connections must carry to be kept, and how many there were before them. */
interface Step {
  readonly from: number;
  readonly neededBytesPerSecond: number;
}

type Phase =
  /** Stays as it is, at least until then. */
  | { readonly name: "watching"; readonly tryAtMs: number }
  /** Lanes are on their way. */
  | { readonly name: "opening"; readonly step: Step; readonly untilMs: number }
  /** Lanes have come, and must show what they bring. */
  | { readonly name: "measuring"; readonly step: Step; readonly untilMs: number };

/** What {@link advanceLanes} remembers from one sample to the next. */
export interface LaneState {
  /** How many connections there should be. */
  readonly wanted: number;
  readonly phase: Phase;
  /** The samples of the last two seconds, all with the same number of connections. */
  readonly window: readonly LaneSample[];
  /** When bytes last moved. */
  readonly movedAtMs: number;
  /** When it was last said that much would be sent. */
  readonly announcedAtMs: number;
  /** Steps in a row that brought nothing. */
  readonly failures: number;
}

/** Before the first sample. */
export const initialLaneState: LaneState = {
  wanted: 1,
  phase: { name: "watching", tryAtMs: 0 },
  window: [],
  movedAtMs: Number.NEGATIVE_INFINITY,
  announcedAtMs: Number.NEGATIVE_INFINITY,
  failures: 0,
};

/** Whether a way is so short that lanes may be opened before it has shown how fast it is. */
export function isShort(roundTripMs: number | null): boolean {
  return roundTripMs !== null && roundTripMs <= shortRoundTripMs;
}

/**
 * As {@link advanceLanes}, when much is about to be sent over a short way: all connections are opened now, while nothing
 * else needs the processor, and must show that they are fast as soon as bytes move. Not where a step is under way or
 * has just brought nothing.
 */
export function openAhead(state: LaneState, sample: LaneSample): LaneState {
  const { atMs, connections } = sample;
  const awake = advanceLanes({ ...state, announcedAtMs: atMs }, sample);
  const { phase } = awake;
  if (phase.name !== "watching" || atMs < phase.tryAtMs || connections >= connectionLimit) return awake;
  return beginAll(awake, sample);
}

/** Whether nothing has moved for so long that no lane is kept for it. */
export function isIdle({ movedAtMs, announcedAtMs }: LaneState, nowMs: number): boolean {
  return nowMs - Math.max(movedAtMs, announcedAtMs) >= idleMs;
}

/** Whether bytes have begun to move, and it is not known yet how fast one connection carries them. */
export function isBeginning(state: LaneState, nowMs: number): boolean {
  const { phase, wanted, movedAtMs } = state;
  return phase.name === "watching" && wanted === 1 && nowMs - movedAtMs < pauseMs && rateOf(state) === null;
}

/** Whether there are as many connections as there may be. */
export function isSettled({ phase, wanted }: LaneState): boolean {
  return phase.name === "watching" && wanted === connectionLimit;
}

/**
 * Decides from each sample how many connections there should be. Where one is fast: eight at once, kept when they are
 * fast too. Elsewhere 1 → 2 → 4 → 8, each step only kept when two seconds of it brought 15 % more. 1 again when
 * nothing moves.
 */
export function advanceLanes(state: LaneState, sample: LaneSample): LaneState {
  const noted = note(state, sample);
  if (isIdle(noted, sample.atMs))
    return { ...initialLaneState, window: [sample], movedAtMs: noted.movedAtMs };
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
  const moved = previous === undefined || sample.movedBytes - previous.movedBytes >= movingBytes;
  const continues = previous?.connections === sample.connections && atMs - state.movedAtMs < pauseMs;
  return {
    ...state,
    window: continues ? withSample(state.window, sample) : [sample],
    movedAtMs: moved ? atMs : state.movedAtMs,
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
  return ((last.movedBytes - first.movedBytes) * 1_000) / (last.atMs - first.atMs);
}

/** Whether so much has moved so fast since the window began, however short it is. */
function isFast({ window }: LaneState): boolean {
  const [first] = window;
  const last = window.at(-1);
  if (first === undefined || last === undefined) return false;
  const movedBytes = last.movedBytes - first.movedBytes;
  return movedBytes >= fastBytes && movedBytes * 1_000 >= fastBytesPerSecond * (last.atMs - first.atMs);
}

function whenWatching(state: LaneState, tryAtMs: number, sample: LaneSample): LaneState {
  const { atMs, connections } = sample;
  // A lane died, or the other side opened or closed one.
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
  // Opened ahead of bytes that are still to come.
  if (state.movedAtMs !== atMs) return state;
  // Those that have come until now must do.
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

/** As many as there may be, which have to be fast and need not bring more. */
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
