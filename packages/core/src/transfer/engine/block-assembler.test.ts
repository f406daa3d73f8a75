import type { Block } from "@warren/protocol";
import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { noise } from "../../testing/file-peers.ts";
import { BlockAssembler, joinBlocks, openChunkLimit } from "./block-assembler.ts";

const chunkSize = 16 * 1024;
const file = { fileSize: 100 * chunkSize, chunkSize };

/** The blocks of one uncompressed chunk. */
function blocksOf(chunk: number, bytes: Uint8Array, blockSize: number): Block[] {
  const count = Math.ceil(bytes.byteLength / blockSize);
  return Array.from({ length: count }, (_, block) => ({
    chunk,
    block,
    last: block === count - 1,
    encoding: "plain",
    digest: null,
    data: bytes.subarray(block * blockSize, (block + 1) * blockSize),
  }));
}

describe("the block assembler", () => {
  const bytes = noise(chunkSize);
  const blocks = blocksOf(3, bytes, 4_096);
  /** A block with bytes of its own, as the assembler frees them. */
  const block = (index: number, change: Partial<Block> = {}): Block => {
    const found = blocks[index];
    if (!found) throw new Error("no such block");
    return { ...found, data: found.data.slice(), ...change };
  };
  let assembler: BlockAssembler;
  beforeEach(() => {
    assembler = new BlockAssembler(file);
  });

  it("returns the chunk once, for any order and repetition of blocks", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(3), { minLength: 1, maxLength: 12 }), (order) => {
        const fresh = new BlockAssembler(file);
        const seen = new Set<number>();
        for (const index of order) {
          const outcome = fresh.add(block(index));
          if (seen.has(index)) expect(outcome.kind).toBe("duplicate");
          seen.add(index);
          if (outcome.kind === "chunk") expect(Buffer.from(outcome.chunk.bytes).equals(bytes)).toBe(true);
          expect(outcome.kind === "chunk").toBe(seen.size === blocks.length);
          if (outcome.kind === "chunk") return;
        }
      }),
      { numRuns: process.env.WARREN_LONG === "1" ? 10_000 : 2_000 },
    );
  });

  it.each([
    ["a second last block", [block(3), block(1, { last: true })]],
    ["a block behind the last", [block(1, { last: true }), block(2)]],
    ["a last block before one that came", [block(2), block(1, { last: true })]],
    ["deflated and plain blocks in one chunk", [block(0), block(1, { encoding: "deflate" })]],
    [
      "deflated and zstd blocks in one chunk",
      [block(0, { encoding: "deflate" }), block(1, { encoding: "zstd" })],
    ],
    ["an index no chunk reaches", [block(0, { block: 1_000 })]],
    ["more bytes than the chunk has", [block(0), block(1, { data: new Uint8Array(chunkSize) })]],
    ["fewer bytes than the chunk has", [block(0), block(1, { last: true })]],
    [
      "a deflated chunk no smaller than the original",
      [block(0, { encoding: "deflate", last: true, data: bytes })],
    ],
    ["a zstd chunk no smaller than the original", [block(0, { encoding: "zstd", last: true, data: bytes })]],
  ])("drops the whole chunk on %s", (_what, conflicting) => {
    const outcomes = conflicting.map((each) => assembler.add(each));
    expect(outcomes.at(-1)).toMatchObject({ kind: "dropped", error: { code: "block-invalid" } });
    expect(assembler.isOpen(3)).toBe(false);
    expect(blocks.map((_, index) => assembler.add(block(index)).kind)).toEqual([
      "open",
      "open",
      "open",
      "chunk",
    ]);
  });

  it("frees the blocks of a whole chunk, and keeps its digest", () => {
    const message = new Uint8Array(chunkSize + 32);
    const digest = message.subarray(chunkSize).fill(7);
    const outcome = assembler.add(block(0, { last: true, data: message.subarray(0, chunkSize), digest }));
    expect(outcome).toMatchObject({ kind: "chunk", chunk: { digest: new Uint8Array(32).fill(7) } });
    expect(message.byteLength).toBe(0);
  });

  it("keeps at most 32 chunks open", () => {
    for (let chunk = 0; chunk < openChunkLimit; chunk++)
      expect(assembler.add(block(0, { chunk })).kind).toBe("open");
    expect(assembler.add(block(0, { chunk: openChunkLimit })).kind).toBe("refused");
    expect(assembler.add(block(1, { chunk: 0 })).kind).toBe("open");
    assembler.drop(0);
    expect(assembler.add(block(0, { chunk: openChunkLimit })).kind).toBe("open");
  });

  it("reports which block is missing", () => {
    const gap = new Map([
      [0, new Uint8Array(1)],
      [2, new Uint8Array(1)],
    ]);
    expect(() => joinBlocks(gap, 2)).toThrow("Missing block 1 in chunk");
  });
});
