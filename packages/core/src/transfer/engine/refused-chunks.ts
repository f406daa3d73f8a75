import { type ChunkRanges, indexesOf, limits, rangesOf } from "@warren/protocol";

/** The chunks refused since they were last requested. */
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

  /** Takes those still missing, up to the limit of one request; the rest waits for the next. */
  take(isMissing: (chunk: number) => boolean): ChunkRanges {
    const missing = [...this.#chunks].filter(isMissing).sort((a, b) => a - b);
    const ranges = rangesOf(missing).slice(0, limits.rangePairs);
    this.#chunks = new Set(missing);
    for (const chunk of indexesOf(ranges)) this.#chunks.delete(chunk);
    return ranges;
  }
}
