import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type ChunkRange,
  chunkCountOf,
  countOf,
  fitsCount,
  indexesOf,
  rangesOf,
  rangesSchema,
} from "./ranges.ts";
import { v } from "./schema.ts";
import { check } from "./testing/fuzz.ts";

const indexes = fc
  .oneof(fc.uniqueArray(fc.nat(40), { maxLength: 40 }), fc.uniqueArray(fc.nat(65_535), { maxLength: 60 }))
  .map((list) => list.sort((a, b) => a - b));

/** Any ranges that the wire accepts, including ones that could be shorter. */
const ranges: fc.Arbitrary<ChunkRange[]> = fc
  .array(fc.tuple(fc.nat(5), fc.nat(5), fc.boolean()), { maxLength: 15 })
  .map((steps) => {
    let next = 0;
    return steps.map(([gap, length, alone]): ChunkRange => {
      const start = next + gap;
      next = start + length + 1;
      if (!alone) return [start, start + length];
      next = start + 1;
      return start;
    });
  });

const setOf = (list: readonly ChunkRange[]) => new Set(indexesOf(list));

describe("ranges, compared with a plain set", () => {
  it("return the indexes they were built from", () => {
    check(
      fc.property(indexes, (list) => {
        expect([...indexesOf(rangesOf(list))]).toEqual(list);
      }),
      2_000,
    );
  });

  it("are as short as possible and accepted by the wire", () => {
    check(
      fc.property(indexes, (list) => {
        const made = rangesOf(list);
        const runsOfIndexes = list.filter((index) => !list.includes(index - 1)).length;
        expect(made).toHaveLength(runsOfIndexes);
        expect(v.is(rangesSchema, made)).toBe(true);
      }),
      500,
    );
  });

  it("count their chunks", () => {
    check(
      fc.property(ranges, (list) => {
        expect(countOf(list)).toBe(setOf(list).size);
      }),
      2_000,
    );
  });

  it("fit a count exactly when each index does", () => {
    check(
      fc.property(ranges, fc.nat(120), (list, count) => {
        expect(fitsCount(list, count)).toBe([...setOf(list)].every((index) => index < count));
      }),
      2_000,
    );
  });

  it("pass the wire's check exactly when they ascend and are disjoint", () => {
    const item = fc.oneof(
      fc.integer({ min: -1, max: 12 }),
      fc.tuple(fc.integer({ min: -1, max: 12 }), fc.nat(12)),
    );
    check(
      fc.property(fc.array(item, { maxLength: 5 }), (list) => {
        const flat = list.flatMap((range) =>
          typeof range === "number" ? [range] : Array.from(indexesOf([range])),
        );
        const isEmptyRange = list.some((range) => typeof range !== "number" && range[1] < range[0]);
        const ascends = flat.every((index, i) => index >= 0 && (i === 0 || index > (flat[i - 1] ?? -1)));
        expect(v.is(rangesSchema, list)).toBe(ascends && !isEmptyRange);
      }),
      2_000,
    );
  });
});

describe("the chunks of a file", () => {
  it.each([
    [0, 16_384, 0],
    [1, 16_384, 1],
    [16_384, 16_384, 1],
    [16_385, 16_384, 2],
    [65_536 * 16_385, 16_385, 65_536],
    [65_536 * 16_385 + 1, 16_385, 65_537],
  ])("of %i bytes in pieces of %i are %i", (fileSizeBytes, chunkSizeBytes, count) => {
    expect(chunkCountOf(fileSizeBytes, chunkSizeBytes)).toBe(count);
  });
});
