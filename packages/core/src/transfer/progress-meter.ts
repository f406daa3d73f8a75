/** The time span before a speed is shown, and the one it is averaged over. */
const warmUpMs = 2_000;
const windowMs = 1_000;

/** The speed of a transfer. */
export interface Speed {
  /** Null until two seconds of data exist, and when nothing moves. */
  readonly bytesPerSecond: number | null;
  readonly secondsLeft: number | null;
}

/** No speed: nothing moves, or there is too little data. */
export const noSpeed: Speed = { bytesPerSecond: null, secondsLeft: null };

interface Sample {
  readonly at: number;
  readonly bytes: number;
}

/** The speed of one transfer, averaged over the last second. */
export class ProgressMeter {
  readonly #totalBytes: number;
  #firstDataAt: number | null = null;
  #samples: Sample[] = [];

  constructor(totalBytes: number) {
    this.#totalBytes = totalBytes;
  }

  /**
   * Adds a sample; called a few times a second.
   * @param at ms since the epoch.
   * @param bytes all bytes so far; the count falls when a chunk has to be sent again.
   */
  sample(at: number, bytes: number): Speed {
    const before = this.#samples.at(-1);
    if (before && bytes > before.bytes) this.#firstDataAt ??= before.at;
    this.#samples.push({ at, bytes });
    // Keep one sample at least a window old as the start of the average.
    while ((this.#samples[1]?.at ?? at) <= at - windowMs) this.#samples.shift();
    const start = this.#samples[0];
    if (!start || this.#firstDataAt === null || at - this.#firstDataAt < warmUpMs) return noSpeed;
    const moved = bytes - start.bytes;
    if (moved <= 0) return noSpeed;
    const bytesPerSecond = (moved * 1_000) / (at - start.at);
    return { bytesPerSecond, secondsLeft: Math.max(0, this.#totalBytes - bytes) / bytesPerSecond };
  }
}
