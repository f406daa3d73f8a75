import { describe, expect, it } from "vitest";
import { noise } from "../testing/file-peers.ts";
import { CompressionPolicy } from "./compression-policy.ts";

const text = new TextEncoder().encode('{"level":"info","message":"all is well"}\n'.repeat(5_000));
const log = { fileName: "server.log", mimeType: "" };

describe("the compression policy", () => {
  it("deflates what shrinks", async () => {
    const packed = await new CompressionPolicy(log, 6).pack(text);
    expect(packed.deflated).toBe(true);
    expect(packed.bytes.byteLength).toBeLessThan(text.byteLength / 10);
  });

  it("sends everything as it is at level 0", async () => {
    const packed = await new CompressionPolicy(log, 0).pack(text);
    expect(packed.bytes).toBe(text);
    expect(packed.deflated).toBe(false);
  });

  it.each([
    { fileName: "holiday.jpg", mimeType: "" },
    { fileName: "clip", mimeType: "video/mp4" },
    { fileName: "letter.docx", mimeType: "" },
    { fileName: "all", mimeType: "application/zip" },
  ])("does not try what is compressed already: $fileName $mimeType", async (file) => {
    expect((await new CompressionPolicy(file, 6).pack(text)).deflated).toBe(false);
  });

  it("still deflates pictures and sound that are not compressed", async () => {
    for (const mimeType of ["image/svg+xml", "image/bmp", "audio/wav"])
      expect((await new CompressionPolicy({ fileName: "plain", mimeType }, 6).pack(text)).deflated).toBe(
        true,
      );
  });

  it("leaves noise alone, and finds out when the file turns into something that shrinks", async () => {
    const policy = new CompressionPolicy(log, 6);
    const random = noise(100_000);
    for (let chunk = 0; chunk < 3; chunk++) expect((await policy.pack(random)).bytes).toBe(random);
    const deflated: boolean[] = [];
    for (let chunk = 0; chunk < 20; chunk++) deflated.push((await policy.pack(text)).deflated);
    expect(deflated.at(0)).toBe(false);
    expect(deflated.at(-1)).toBe(true);
    expect((await policy.pack(random)).deflated).toBe(false);
  });

  it("packs a chunk as it was packed before, whatever the file has turned into", async () => {
    const policy = new CompressionPolicy(log, 6);
    expect((await policy.pack(text, false)).bytes).toBe(text);
    expect((await policy.pack(noise(100_000), true)).deflated).toBe(true);
  });

  it("lets one sample decide for all chunks that are packed at once", async () => {
    const packed = async (chunk: Uint8Array<ArrayBuffer>) => {
      const policy = new CompressionPolicy(log, 6);
      return (await Promise.all([chunk, chunk, chunk].map((one) => policy.pack(one)))).map(
        ({ deflated }) => deflated,
      );
    };
    expect(await packed(text)).toEqual([true, true, true]);
    expect(await packed(noise(100_000))).toEqual([false, false, false]);
  });

  it("has chunks deflated by who is there for it, several at once", () => {
    const asked: number[] = [];
    const deflate = (bytes: Uint8Array<ArrayBuffer>) => {
      asked.push(bytes.byteLength);
      return new Promise<never>(() => {});
    };
    const policy = new CompressionPolicy(log, 6, { threads: 3, deflate });
    expect(policy.threads).toBe(3);
    void policy.pack(text, true);
    void policy.pack(text.slice(1), true);
    expect(asked).toEqual([text.byteLength, text.byteLength - 1]);
  });
});
