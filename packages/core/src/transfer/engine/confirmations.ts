import { type ChunkRanges, rangesOf } from "@warren/protocol";
import type { CancelTimer, Clock } from "../../ports/clock.ts";

/** Confirmed together, because fewer packets matter to fast transfers. */
const togetherBytes = 2 * 1024 * 1024;
/** A confirmation waits for others this long at most: the sender shows confirmed bytes, and waits for them. */
const gatherMs = 250;

/** Confirms stored chunks to the sender. */
export class Confirmations {
  readonly #clock: Pick<Clock, "after">;
  readonly #chunkSize: number;
  readonly #send: (ranges: ChunkRanges) => void;
  #chunks: number[] = [];
  #cancelTimer: CancelTimer | null = null;

  constructor(clock: Pick<Clock, "after">, chunkSize: number, send: (ranges: ChunkRanges) => void) {
    this.#clock = clock;
    this.#chunkSize = chunkSize;
    this.#send = send;
  }

  add(chunk: number): void {
    this.#chunks.push(chunk);
    if (this.#chunks.length * this.#chunkSize >= togetherBytes) this.#flush();
    else this.#cancelTimer ??= this.#clock.after(gatherMs, () => this.#flush());
  }

  /** Forgets what is not sent yet. */
  close(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
    this.#chunks = [];
  }

  #flush(): void {
    const ranges = rangesOf(this.#chunks.sort((a, b) => a - b));
    this.close();
    this.#send(ranges);
  }
}
