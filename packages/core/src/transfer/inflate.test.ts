import { constants, deflateRawSync } from "node:zlib";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { digestText, noise } from "../testing/file-peers.ts";
import { inflate } from "./inflate.ts";

const mib = 1024 * 1024;
const deflated = (bytes: Uint8Array) =>
  new Uint8Array(deflateRawSync(bytes, { level: constants.Z_BEST_COMPRESSION }));

describe.each(["the platform", "the library"])("inflating by %s", (by) => {
  beforeEach(() => {
    if (by === "the library") vi.stubGlobal("DecompressionStream", undefined);
    return () => void vi.unstubAllGlobals();
  });

  it("gives back what was deflated", async () => {
    const text = new TextEncoder().encode("all work and no play ".repeat(20_000));
    const small = deflated(text);
    expect(small.byteLength).toBeLessThan(text.byteLength / 50);
    expect(digestText(await inflate(small, text.byteLength))).toBe(digestText(text));
  });

  it("refuses a result that is longer or shorter than it must be", async () => {
    const bytes = deflated(noise(10_000));
    await expect(inflate(bytes, 9_999)).rejects.toMatchObject({ code: "block-invalid" });
    await expect(inflate(bytes, 10_001)).rejects.toMatchObject({ code: "block-invalid" });
  });

  it("refuses what is not deflate or is cut off", async () => {
    const bytes = deflated(noise(10_000));
    for (const wrong of [noise(5_000, 7), bytes.slice(0, -10)])
      await expect(inflate(wrong, 10_000)).rejects.toMatchObject({ code: "block-invalid" });
  });

  it.each(process.env.WARREN_LONG ? [1, 16, 128] : [1, 32])(
    "stops early at a bomb of %s MiB, holding little of it",
    async (sizeMib) => {
      const bomb = deflated(new Uint8Array(sizeMib * mib));
      const before = process.memoryUsage();
      let peak = 0;
      const watch = setInterval(() => {
        const { arrayBuffers, external } = process.memoryUsage();
        peak = Math.max(peak, arrayBuffers + external - before.arrayBuffers - before.external);
      }, 1);
      await expect(inflate(bomb, 512 * 1024)).rejects.toMatchObject({ code: "block-invalid" });
      clearInterval(watch);
      expect(peak).toBeLessThan(16 * mib);
    },
  );
});
