import { limits } from "@warren/protocol";

/** Enough for three peers: sending to more peers at once already uses many connections. */
const lanesAtOnce = 3 * limits.lanes;

/** The limit on open lanes, shared by all sessions of a page. */
export class LanePool {
  #free: number;

  constructor(lanes = lanesAtOnce) {
    this.#free = lanes;
  }

  /** Reserves a lane until it closes. @returns whether one was available. */
  take(): boolean {
    if (this.#free === 0) return false;
    this.#free--;
    return true;
  }

  release(): void {
    this.#free++;
  }
}
