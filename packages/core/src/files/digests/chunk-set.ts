import { type ChunkRange, type ChunkRanges, indexesOf, limits, rangesOf } from "@warren/protocol";

/** A set of a file's chunks, `0..size-1`. */
export class ChunkSet {
  readonly size: number;
  readonly #members: Uint8Array;
  #count = 0;
  /** No member is below this; makes taking chunks in order cheap. */
  #low = 0;

  /** @param members the initial indexes. */
  constructor(size: number, members: Iterable<number> = []) {
    this.size = size;
    this.#members = new Uint8Array(size);
    for (const index of members) this.add(index);
  }

  get count(): number {
    return this.#count;
  }

  get isFull(): boolean {
    return this.#count === this.size;
  }

  has(index: number): boolean {
    return this.#members[index] === 1;
  }

  add(index: number): void {
    if (index >= this.size || this.has(index)) return;
    this.#members[index] = 1;
    this.#count++;
    this.#low = Math.min(this.#low, index);
  }

  delete(index: number): void {
    if (!this.has(index)) return;
    this.#members[index] = 0;
    this.#count--;
  }

  addRanges(ranges: ChunkRanges): void {
    for (const index of indexesOf(ranges)) this.add(index);
  }

  deleteRanges(ranges: ChunkRanges): void {
    for (const index of indexesOf(ranges)) this.delete(index);
  }

  fill(): void {
    this.#members.fill(1);
    this.#count = this.size;
    this.#low = 0;
  }

  clear(): void {
    this.#members.fill(0);
    this.#count = 0;
  }

  /**
   * Removes the first run of consecutive members.
   * @returns the first and last index of at most `maxCount` chunks, or null when the set is empty.
   */
  takeRun(maxCount: number): readonly [first: number, last: number] | null {
    if (this.#count === 0) return null;
    while (!this.has(this.#low)) this.#low++;
    const first = this.#low;
    let last = first;
    while (last - first + 1 < maxCount && this.has(last + 1)) last++;
    for (let index = first; index <= last; index++) this.delete(index);
    return [first, last];
  }

  /**
   * The chunks not in the set, as the ranges of one frame: if there are more gaps than a frame allows, the last range
   * spans the rest and includes chunks that are not missing.
   */
  missing(): ChunkRange[] {
    const ranges = rangesOf(this.#those((index) => !this.has(index)));
    if (ranges.length <= limits.rangePairs) return ranges;
    const first = ranges[limits.rangePairs - 1] ?? 0;
    const last = ranges.at(-1) ?? first;
    return [
      ...ranges.slice(0, limits.rangePairs - 1),
      [typeof first === "number" ? first : first[0], typeof last === "number" ? last : last[1]],
    ];
  }

  /** The chunks in the set but not in `others`, as the ranges of one frame: as many as it allows. */
  rangesWithout(others: ReadonlySet<number>): ChunkRange[] {
    const chunks = this.#those((index) => this.has(index) && !others.has(index));
    return rangesOf(chunks).slice(0, limits.rangePairs);
  }

  *#those(passes: (index: number) => boolean): Generator<number> {
    for (let index = 0; index < this.size; index++) if (passes(index)) yield index;
  }
}
