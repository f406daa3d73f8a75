import type { ChunkEncoding } from "@warren/protocol";
import { describe, expect, it } from "vitest";
import { noise } from "../../testing/file-peers.ts";
import { createZstd } from "../../testing/zstd-module.ts";
import { CompressionPolicy } from "./compression-policy.ts";
import { type Compressor, zstdCompressor } from "./compressor.ts";

const text = new TextEncoder().encode('{"level":"info","message":"all is well"}\n'.repeat(5_000));
const log = { fileName: "server.log", mimeType: "" };
const ask = { readsZstd: false };
const packer = zstdCompressor(createZstd());

describe("the compression policy", () => {
  it("deflates compressible data", async () => {
    const packed = await new CompressionPolicy(log, 6).pack(text, ask);
    expect(packed.encoding).toBe("deflate");
    expect(packed.bytes.byteLength).toBeLessThan(text.byteLength / 10);
  });

  it("compresses nothing at level 0", async () => {
    const packed = await new CompressionPolicy(log, 0).pack(text, ask);
    expect(packed.bytes).toBe(text);
    expect(packed.encoding).toBe("plain");
  });

  it.each([
    { fileName: "holiday.jpg", mimeType: "" },
    { fileName: "clip", mimeType: "video/mp4" },
    { fileName: "letter.docx", mimeType: "" },
    { fileName: "all", mimeType: "application/zip" },
  ])("does not try what is compressed already: $fileName $mimeType", async (file) => {
    expect((await new CompressionPolicy(file, 6).pack(text, ask)).encoding).toBe("plain");
  });

  it("still deflates pictures and sound that are not compressed", async () => {
    for (const mimeType of ["image/svg+xml", "image/bmp", "audio/wav"])
      expect((await new CompressionPolicy({ fileName: "plain", mimeType }, 6).pack(text, ask)).encoding).toBe(
        "deflate",
      );
  });

  it("skips incompressible data, and notices when the file becomes compressible", async () => {
    const policy = new CompressionPolicy(log, 6);
    const random = noise(100_000);
    for (let chunk = 0; chunk < 3; chunk++) expect((await policy.pack(random, ask)).bytes).toBe(random);
    const encodings: string[] = [];
    for (let chunk = 0; chunk < 20; chunk++) encodings.push((await policy.pack(text, ask)).encoding);
    expect(encodings.at(0)).toBe("plain");
    expect(encodings.at(-1)).toBe("deflate");
    expect((await policy.pack(random, ask)).encoding).toBe("plain");
  });

  it("packs a chunk with its earlier encoding, even if the file has become incompressible", async () => {
    const policy = new CompressionPolicy(log, 6, packer);
    const packed = async (chunk: Uint8Array<ArrayBuffer>, before: ChunkEncoding) =>
      (await policy.pack(chunk, { readsZstd: true, before })).encoding;
    expect(await packed(text, "plain")).toBe("plain");
    expect(await packed(noise(100_000), "deflate")).toBe("deflate");
    expect(await packed(noise(100_000), "zstd")).toBe("zstd");
  });

  it("falls back when the earlier encoding is not available, and never lets a chunk grow", async () => {
    const policy = new CompressionPolicy(log, 6, packer);
    const packed = async (chunk: Uint8Array<ArrayBuffer>) =>
      (await policy.pack(chunk, { readsZstd: false, before: "zstd" })).encoding;
    expect(await packed(text)).toBe("deflate");
    expect(await packed(noise(100_000))).toBe("plain");
  });

  it("shares one sample among all chunks packed concurrently", async () => {
    const packed = async (chunk: Uint8Array<ArrayBuffer>) => {
      const policy = new CompressionPolicy(log, 6);
      return (await Promise.all([chunk, chunk, chunk].map((one) => policy.pack(one, ask)))).map(
        ({ encoding }) => encoding,
      );
    };
    expect(await packed(text)).toEqual(["deflate", "deflate", "deflate"]);
    expect(await packed(noise(100_000))).toEqual(["plain", "plain", "plain"]);
  });

  it("uses the given compressor, several chunks at once", () => {
    const asked: number[] = [];
    const compress = (bytes: Uint8Array<ArrayBuffer>) => {
      asked.push(bytes.byteLength);
      return new Promise<never>(() => {});
    };
    const policy = new CompressionPolicy(log, 6, { threads: 3, compress });
    expect(policy.threads).toBe(3);
    void policy.pack(text, { ...ask, before: "deflate" });
    void policy.pack(text.slice(1), { ...ask, before: "deflate" });
    expect(asked).toEqual([text.byteLength, text.byteLength - 1]);
  });

  it("uses zstd if the receiver reads it, at the level mapped from the option", async () => {
    const levelAt = async (level: number, readsZstd: boolean) => {
      const levels: (number | null)[] = [];
      const compress: Compressor["compress"] = (bytes, zstdLevel) => {
        levels.push(zstdLevel);
        return packer.compress(bytes, zstdLevel);
      };
      const policy = new CompressionPolicy(log, level, { threads: 1, compress });
      await policy.pack(text, { readsZstd });
      levels.length = 0;
      const { encoding } = await policy.pack(text, { readsZstd });
      return [encoding, ...levels];
    };
    const all = await Promise.all(Array.from({ length: 10 }, (_, level) => levelAt(level, true)));
    expect(all).toEqual([["plain"], ...[1, 1, 1, 1, 1, 1, 5, 6, 8].map((level) => ["zstd", level])]);
    expect(await levelAt(9, false)).toEqual(["deflate", null]);
  });

  it.each([
    { leaves: 970, more: "less", taken: 3 },
    { leaves: 990, more: "hardly less", taken: 1 },
    { leaves: 1_010, more: "more", taken: 1 },
  ])("takes level $taken of zstd at 6 where 3 leaves $more of the first chunk", async ({ leaves, taken }) => {
    const levels: (number | null)[] = [];
    const compress: Compressor["compress"] = async (_, level) => {
      levels.push(level);
      return { bytes: new Uint8Array(level === 3 ? leaves : 1_000), encoding: "zstd" };
    };
    const policy = new CompressionPolicy(log, 6, { threads: 2, compress });
    await Promise.all([policy.pack(text, { readsZstd: true }), policy.pack(text, { readsZstd: true })]);
    await policy.pack(text, { readsZstd: true });
    expect(levels).toEqual([1, 3, taken, taken, taken]);
  });
});
