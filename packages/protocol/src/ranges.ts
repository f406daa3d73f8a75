import { limits } from "./limits.ts";
import { integer, listUpTo, v } from "./schema.ts";

const indexSchema = integer(0, limits.chunksPerFile - 1);

/** One chunk, or all chunks from the first index to the second, inclusive. */
const rangeSchema = v.union([indexSchema, v.strictTuple([indexSchema, indexSchema])]);

/** A set of chunk indexes: ascending, disjoint items. */
export const rangesSchema = v.pipe(
  listUpTo(rangeSchema, limits.rangePairs),
  v.check((ranges) => isAscending(ranges)),
);
export type ChunkRange = v.InferOutput<typeof rangeSchema>;
export type ChunkRanges = readonly ChunkRange[];

/** How many chunks a file has: `fileSizeBytes / chunkSizeBytes`, rounded up. An empty file has none. */
export function chunkCountOf(fileSizeBytes: number, chunkSizeBytes: number): number {
  return Math.ceil(fileSizeBytes / chunkSizeBytes);
}

/** Every index of the ranges, in order. */
export function* indexesOf(ranges: ChunkRanges): Generator<number> {
  for (const range of ranges) {
    const [start, end] = bounds(range);
    for (let index = start; index <= end; index++) yield index;
  }
}

/** The shortest ranges for ascending indexes. */
export function rangesOf(ascending: Iterable<number>): ChunkRange[] {
  const ranges: ChunkRange[] = [];
  let start = -1;
  let end = -1;
  const close = () => {
    if (start >= 0) ranges.push(start === end ? start : [start, end]);
  };
  for (const index of ascending) {
    if (start >= 0 && index === end + 1) end = index;
    else {
      close();
      start = index;
      end = index;
    }
  }
  close();
  return ranges;
}

/** The number of chunks in the ranges. */
export function countOf(ranges: ChunkRanges): number {
  return ranges.reduce<number>((sum, range) => {
    const [start, end] = bounds(range);
    return sum + end - start + 1;
  }, 0);
}

/** Whether every index is below `count`. */
export function fitsCount(ranges: ChunkRanges, count: number): boolean {
  const last = ranges.at(-1);
  return last === undefined || bounds(last)[1] < count;
}

function bounds(range: ChunkRange): readonly [number, number] {
  return typeof range === "number" ? [range, range] : range;
}

function isAscending(ranges: ChunkRanges): boolean {
  let previousEnd = -1;
  return ranges.every((range) => {
    const [start, end] = bounds(range);
    const ascends = start > previousEnd && end >= start;
    previousEnd = end;
    return ascends;
  });
}
