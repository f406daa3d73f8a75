import { indexesOf, limits } from "@warren/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ChunkSet } from "./chunk-set.ts";

describe("a set of chunks", () => {
  it("behaves like a set of numbers", () => {
    const size = 24;
    const step = fc.oneof(
      fc.record({ do: fc.constantFrom("add", "delete"), index: fc.nat(size - 1) }),
      fc.record({ do: fc.constant("take"), index: fc.integer({ min: 1, max: 5 }) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const set = new ChunkSet(size);
        const model = new Set<number>();
        for (const { do: action, index } of steps) {
          if (action === "add") {
            set.add(index);
            model.add(index);
          } else if (action === "delete") {
            set.delete(index);
            model.delete(index);
          } else {
            const run = set.takeRun(index);
            const first = Math.min(...model);
            expect(run?.[0] ?? Infinity).toBe(first);
            if (run) {
              for (let taken = run[0]; taken <= run[1]; taken++) expect(model.delete(taken)).toBe(true);
              const stoppedEarly = run[1] - run[0] + 1 < index;
              if (stoppedEarly) expect(model.has(run[1] + 1)).toBe(false);
            }
          }
          expect(set.count).toBe(model.size);
          const missing = new Set(indexesOf(set.missing()));
          for (let chunk = 0; chunk < size; chunk++) expect(missing.has(chunk)).toBe(!model.has(chunk));
        }
      }),
    );
  });

  it("reports chunks that are not missing rather than more ranges than a frame carries", () => {
    const size = 4 * limits.rangePairs;
    const everyOther = new ChunkSet(
      size,
      Array.from({ length: size / 2 }, (_, n) => 2 * n),
    );
    const missing = everyOther.missing();
    expect(missing).toHaveLength(limits.rangePairs);
    const asked = new Set(indexesOf(missing));
    for (let chunk = 1; chunk < size; chunk += 2) expect(asked.has(chunk)).toBe(true);
  });

  it("reports fewer of its chunks rather than more ranges than a frame carries, and none that are in another set", () => {
    const size = 4 * limits.rangePairs;
    const everyOther = new ChunkSet(
      size,
      Array.from({ length: size / 2 }, (_, n) => 2 * n),
    );
    const ranges = everyOther.rangesWithout(new Set([0, 1, 4]));
    expect(ranges).toHaveLength(limits.rangePairs);
    expect(ranges.slice(0, 3)).toEqual([2, 6, 8]);
  });

  it("ignores chunks the file does not have", () => {
    const set = new ChunkSet(2, [0, 5]);
    expect(set.count).toBe(1);
    expect(set.has(5)).toBe(false);
  });
});
