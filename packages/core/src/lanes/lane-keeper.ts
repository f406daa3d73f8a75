import type { Clock } from "../ports/clock.ts";
import { Countdown } from "../shared/countdown.ts";
import { Emitting } from "../shared/emitter.ts";
import {
  advanceLanes,
  initialLaneState,
  isBeginning,
  isIdle,
  isSettled,
  type LaneSample,
  openAhead,
} from "./lane-policy.ts";

const periodMs = 500;
/** At the beginning: on a fast link many files finish within half a second. */
const firstPeriodMs = 150;
/** At the maximum number of connections: reading statistics takes CPU time, the bottleneck of fast links. */
const settledPeriodMs = 2_000;
/** While idle, to notice when a stalled transfer resumes. */
const idlePeriodMs = 5_000;

export interface LaneKeeperDeps {
  readonly clock: Clock;
  /** Takes a sample; null if a connection has just ended. */
  readonly measure: () => Promise<LaneSample | null>;
}

type LaneKeeperEvents = {
  /** The desired number of connections changed. */
  wanted: [connections: number];
};

/** Applies the lane policy from the first transfer on. */
export class LaneKeeper extends Emitting<LaneKeeperEvents> {
  readonly #deps: LaneKeeperDeps;
  readonly #next: Countdown;
  #state = initialLaneState;
  #isClosed = false;
  #isMeasuring = false;
  #isAhead = false;

  constructor(deps: LaneKeeperDeps) {
    super();
    this.#deps = deps;
    this.#next = new Countdown(deps.clock);
  }

  /** Data is about to be sent. If all connections are open, the next regular sample is soon enough. */
  wake(): void {
    if (!this.#isClosed && !this.#isMeasuring && !isSettled(this.#state)) void this.#measure();
  }

  /** A large file is about to be sent over a short path. */
  wakeAhead(): void {
    this.#isAhead = true;
    this.wake();
  }

  close(): void {
    this.#isClosed = true;
    this.#next.stop();
  }

  async #measure(): Promise<void> {
    this.#next.stop();
    this.#isMeasuring = true;
    const sample = await this.#deps.measure().catch(() => null);
    this.#isMeasuring = false;
    if (this.#isClosed) return;
    if (sample !== null) this.#take(sample);
    this.#next.start(sample === null ? periodMs : this.#periodAfter(sample), () => void this.#measure());
  }

  #periodAfter({ atMs }: LaneSample): number {
    if (isIdle(this.#state, atMs)) return idlePeriodMs;
    if (isSettled(this.#state)) return settledPeriodMs;
    return isBeginning(this.#state, atMs) ? firstPeriodMs : periodMs;
  }

  #take(sample: LaneSample): void {
    const { wanted } = this.#state;
    this.#state = (this.#isAhead ? openAhead : advanceLanes)(this.#state, sample);
    this.#isAhead = false;
    if (this.#state.wanted !== wanted) this.emit("wanted", this.#state.wanted);
  }
}
