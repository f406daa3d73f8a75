import { type ChunkRanges, rangesOf } from "@warren/protocol";
import type { Clock } from "../../ports/clock.ts";

/**
 * How many chunks are confirmed together: fewer packets matter more than a few chunks sent again after a lost
 * connection.
 */
const atOnce = 4;
/** On a line so slow that a chunk takes this long, sending less again matters more. */
const gatherMs = 1_000;

/** Confirms received and verified chunks to the sender. */
export class Confirmations {
  readonly #clock: Pick<Clock, "elapsedMs">;
  readonly #send: (ranges: ChunkRanges) => void;
  #chunks: number[] = [];
  #sentAt: number;

  constructor(clock: Pick<Clock, "elapsedMs">, send: (ranges: ChunkRanges) => void) {
    this.#clock = clock;
    this.#send = send;
    this.#sentAt = clock.elapsedMs();
  }

  add(chunk: number): void {
    const now = this.#clock.elapsedMs();
    this.#chunks.push(chunk);
    if (this.#chunks.length < atOnce && now - this.#sentAt < gatherMs) return;
    const ranges = rangesOf(this.#chunks.sort((a, b) => a - b));
    this.#chunks = [];
    this.#sentAt = now;
    this.#send(ranges);
  }
}
