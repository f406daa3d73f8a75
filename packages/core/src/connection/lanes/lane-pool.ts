import { limits } from "@warren/protocol";

/** Those of three peers: who sends to more of them at once has many connections already. */
const lanesAtOnce = 3 * limits.lanes;

/** What all sessions of a page share: how many lanes it may have opened at once. */
export class LanePool {
  #free: number;

  constructor(lanes = lanesAtOnce) {
    this.#free = lanes;
  }

  /** @returns whether one more may be opened; it is given back when it has closed. */
  take(): boolean {
    if (this.#free === 0) return false;
    this.#free--;
    return true;
  }

  giveBack(): void {
    this.#free++;
  }
}
