import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Block, blockHeaderBytes, chunkDigestBytes, decodeBlock, encodeBlock } from "./block.ts";
import { limits } from "./limits.ts";
import { check } from "./testing/fuzz.ts";

const digest = fc.uint8Array({ minLength: chunkDigestBytes, maxLength: chunkDigestBytes });
const blocks: fc.Arbitrary<Block> = fc
  .record({
    chunk: fc.nat(limits.chunksPerFile - 1),
    block: fc.nat(0xffff),
    last: fc.boolean(),
    encoding: fc.constantFrom("plain" as const, "deflate" as const, "zstd" as const),
    digest: fc.option(digest, { nil: null }),
    data: fc.uint8Array({ minLength: 1, maxLength: 200 }),
  })
  .map((block) => ({ ...block, digest: block.last ? block.digest : null }));

const plain: Block = {
  chunk: 1,
  block: 2,
  last: false,
  encoding: "plain",
  digest: null,
  data: new Uint8Array([9]),
};
const issueOf = (message: Uint8Array, chunkCount = 10) => {
  const decoded = decodeBlock(message, chunkCount);
  return decoded.ok ? null : decoded.error.values.issue;
};

describe("a block", () => {
  it("is written as big-endian chunk, block and flags, then data, then digest", () => {
    const sum = new Uint8Array(chunkDigestBytes).fill(7);
    const message = encodeBlock({
      chunk: 0x01020304,
      block: 0x0506,
      last: true,
      encoding: "deflate",
      digest: sum,
      data: new Uint8Array([8, 9]),
    });
    expect([...message]).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, ...sum]);
    expect(encodeBlock(plain)[6]).toBe(0);
    expect(encodeBlock({ ...plain, last: true })[6]).toBe(1);
    expect(encodeBlock({ ...plain, encoding: "deflate" })[6]).toBe(2);
    expect(encodeBlock({ ...plain, encoding: "zstd" })[6]).toBe(8);
    expect(encodeBlock({ ...plain, last: true, digest: sum })[6]).toBe(5);
  });

  it("survives a round trip", () => {
    check(
      fc.property(blocks, (block) => {
        expect(decodeBlock(encodeBlock(block), limits.chunksPerFile)).toEqual({ ok: true, value: block });
      }),
      1_000,
    );
  });

  it("can be read from within a larger buffer", () => {
    const message = encodeBlock(plain);
    const buffer = new Uint8Array(message.byteLength + 20);
    buffer.set(message, 10);
    expect(decodeBlock(buffer.subarray(10, 10 + message.byteLength), 10)).toEqual({ ok: true, value: plain });
  });

  it("is not copied when read", () => {
    const message = encodeBlock({ ...plain, last: true, digest: new Uint8Array(chunkDigestBytes) });
    const decoded = decodeBlock(message, 10);
    expect(decoded.ok && decoded.value.data.buffer).toBe(message.buffer);
    expect(decoded.ok && decoded.value.digest?.buffer).toBe(message.buffer);
  });

  it("is rejected when truncated within its header, or empty", () => {
    const message = encodeBlock(plain);
    for (let length = 0; length <= blockHeaderBytes; length++)
      expect(issueOf(message.subarray(0, length))).toBe("no data");
  });

  it("is rejected when its digest leaves no data", () => {
    const full = encodeBlock({ ...plain, last: true, digest: new Uint8Array(chunkDigestBytes) });
    expect(issueOf(full)).toBeNull();
    expect(issueOf(full.subarray(0, full.byteLength - 1))).toBe("no data");
    expect(issueOf(full.subarray(0, blockHeaderBytes + 1))).toBe("no data");
  });

  it("is rejected beyond the end of the file", () => {
    expect(issueOf(encodeBlock({ ...plain, chunk: 9 }))).toBeNull();
    expect(issueOf(encodeBlock({ ...plain, chunk: 10 }))).toBe("chunk out of range");
    expect(issueOf(encodeBlock({ ...plain, chunk: 0xffff_ffff }))).toBe("chunk out of range");
    expect(issueOf(encodeBlock({ ...plain, chunk: 0 }), 0)).toBe("chunk out of range");
  });

  it("is rejected with an unknown flag, two compressions, or a digest before the last block", () => {
    for (let flags = 0; flags < 256; flags++) {
      const message = encodeBlock({ ...plain, data: new Uint8Array(50) });
      message[6] = flags;
      const issues = [
        flags > 15 && "unknown flag",
        (flags & 10) === 10 && "two compressions",
        (flags & 5) === 4 && "digest before the last block",
      ];
      expect(issueOf(message)).toBe(issues.find(Boolean) || null);
    }
  });

  it("holds at most the largest block size", () => {
    const sum = new Uint8Array(chunkDigestBytes);
    for (const last of [false, true]) {
      const sized = (length: number) =>
        encodeBlock({ ...plain, last, digest: last ? sum : null, data: new Uint8Array(length) });
      expect(issueOf(sized(limits.blockSizeMax))).toBeNull();
      expect(issueOf(sized(limits.blockSizeMax + 1))).toBe("too much data");
      // The largest message that every browser can send.
      expect(sized(limits.blockSizeMax).byteLength).toBeLessThanOrEqual(256 * 1024);
    }
  });

  it("is rejected or decoded for any bytes, and re-encoded identically", () => {
    const header = fc.tuple(fc.nat(12), fc.uint8Array({ minLength: 2, maxLength: 2 }), fc.nat(31));
    const near = fc
      .tuple(header, fc.uint8Array({ maxLength: 80 }))
      .map(([[chunk, block, flags], rest]) => Uint8Array.from([0, 0, 0, chunk, ...block, flags, ...rest]));
    check(
      fc.property(fc.oneof(fc.uint8Array({ maxLength: 80 }), near), fc.nat(12), (message, chunkCount) => {
        const decoded = decodeBlock(message, chunkCount);
        if (decoded.ok) expect(encodeBlock(decoded.value)).toEqual(message);
        else expect(decoded.error.code).toBe("block-invalid");
      }),
      2_000,
      1_000_000,
    );
  });
});
