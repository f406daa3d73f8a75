import type { Clock } from "../../ports/clock.ts";
import { Countdown } from "../countdown.ts";
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
/** At the beginning: on a fast line many files are over before half a second has shown anything. */
const firstPeriodMs = 150;
/** With all the connections there may be: statistics take time of the processor, which is the limit of fast lines. */
const settledPeriodMs = 2_000;
/** While nothing moves, so that a transfer that stood still and goes on is noticed. */
const idlePeriodMs = 5_000;

/** What a keeper watches, and what it reports to. */
export interface LaneKeeperOptions {
  readonly clock: Clock;
  /** How things stand; null where a connection has just ended. */
  readonly look: () => Promise<LaneSample | null>;
  /** The number of connections there should be has changed. */
  readonly onWanted: (connections: number) => void;
}

/** Follows the lane policy once there was anything to send. */
export class LaneKeeper {
  readonly #options: LaneKeeperOptions;
  readonly #next: Countdown;
  #state = initialLaneState;
  #isClosed = false;
  #isLooking = false;
  #isAhead = false;

  constructor(options: LaneKeeperOptions) {
    this.#options = options;
    this.#next = new Countdown(options.clock);
  }

  /** Something is about to be sent. */
  wake(): void {
    if (!this.#isClosed && !this.#isLooking) void this.#look();
  }

  /** Much will be sent soon, over a short way. */
  wakeAhead(): void {
    this.#isAhead = true;
    this.wake();
  }

  close(): void {
    this.#isClosed = true;
    this.#next.stop();
  }

  async #look(): Promise<void> {
    this.#next.stop();
    this.#isLooking = true;
    const sample = await this.#options.look().catch(() => null);
    this.#isLooking = false;
    if (this.#isClosed) return;
    if (sample !== null) this.#take(sample);
    this.#next.start(sample === null ? periodMs : this.#periodAfter(sample), () => void this.#look());
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
    if (this.#state.wanted !== wanted) this.#options.onWanted(this.#state.wanted);
  }
}
