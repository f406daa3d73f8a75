import { describe, expect, it } from "vitest";
import { limits } from "./limits.ts";
import { decodeTransferControl } from "./transfer-control.ts";

const takes = (control: unknown) => decodeTransferControl(JSON.stringify(control)).ok;
const asks = (ranges: unknown) => takes({ type: "request-content", ranges });

describe("a request for content", () => {
  it.each([
    [[]],
    [[0]],
    [[[0, 0]]],
    [[0, 1, 2]],
    [[0, [1, 3], 5]],
    [[limits.chunksPerFile - 1]],
    [[[0, limits.chunksPerFile - 1]]],
  ])("may ask for %j", (ranges) => {
    expect(asks(ranges)).toBe(true);
  });

  it.each<[string, unknown]>([
    ["nothing at all", undefined],
    ["a number alone", 0],
    ["a chunk before the first", [-1]],
    ["a chunk past the last there can be", [limits.chunksPerFile]],
    ["a range that ends past it", [[0, limits.chunksPerFile]]],
    ["a broken chunk", [0.5]],
    ["a chunk in text", ["0"]],
    ["a chunk twice", [1, 1]],
    ["falling chunks", [2, 1]],
    ["a range that runs backwards", [[2, 1]]],
    [
      "ranges that overlap",
      [
        [0, 4],
        [4, 5],
      ],
    ],
    ["a chunk within a range before it", [[0, 4], 3]],
    ["a range with one end", [[1]]],
    ["a range with three ends", [[1, 2, 3]]],
    ["an open range", [[1, null]]],
    ["a range in a range", [[[1, 2]]]],
    ["a list that only looks like one", { length: 1, 0: 0 }],
  ])("is refused with %s", (_, ranges) => {
    expect(asks(ranges)).toBe(false);
  });

  it("may name further encodings, including unknown ones", () => {
    const names = (encodings: unknown) => takes({ type: "request-content", ranges: [0], encodings });
    for (const encodings of [undefined, [], ["zstd"], ["zstd", "a-later-one"]])
      expect(names(encodings)).toBe(true);
    for (const encodings of [null, "zstd", [1], ["a".repeat(17)], Array.from({ length: 17 }, () => "zstd")])
      expect(names(encodings)).toBe(false);
  });

  it("has at most 4,096 items", () => {
    const items = (count: number) => Array.from({ length: count }, (_, i) => [3 * i, 3 * i + 1]);
    expect(asks(items(limits.rangePairs))).toBe(true);
    expect(asks(items(limits.rangePairs + 1))).toBe(false);
  });
});

describe("a completion", () => {
  it.each<[string, unknown]>([
    ["no root", undefined],
    ["a root in upper case", "A".repeat(64)],
    ["a short root", "a".repeat(63)],
    ["a long root", "a".repeat(65)],
    ["a root with a line end", `${"a".repeat(64)}\n`],
    ["a root in a list", ["a".repeat(64)]],
  ])("is refused with %s", (_, root) => {
    expect(takes({ type: "complete", root })).toBe(false);
  });

  it("carries the file's root", () => {
    expect(takes({ type: "complete", root: "a".repeat(64) })).toBe(true);
  });
});
