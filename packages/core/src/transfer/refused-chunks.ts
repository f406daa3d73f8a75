import { type ChunkRanges, indexesOf, limits, rangesOf } from "@warren/protocol";

/** Chunks that were turned away since they were last asked for. */
export class RefusedChunks {
  #chunks = new Set<number>();

  get isEmpty(): boolean {
    return this.#chunks.size === 0;
  }

  has(chunk: number): boolean {
    return this.#chunks.has(chunk);
  }

  add(chunk: number): void {
    this.#chunks.add(chunk);
  }

  clear(): void {
    this.#chunks.clear();
  }

  /** Those that are still missing, as many as one request may name; the rest waits for the next. */
  take(isMissing: (chunk: number) => boolean): ChunkRanges {
    const missing = [...this.#chunks].filter(isMissing).sort((a, b) => a - b);
    const ranges = rangesOf(missing).slice(0, limits.rangePairs);
    this.#chunks = new Set(missing);
    for (const chunk of indexesOf(ranges)) this.#chunks.delete(chunk);
    return ranges;
  }
}
