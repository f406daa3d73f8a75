import { constants, deflateRawSync } from "node:zlib";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { digestText, noise } from "../testing/file-peers.ts";
import { inflate } from "./inflate.ts";

const mib = 1024 * 1024;
const deflated = (bytes: Uint8Array) =>
  new Uint8Array(deflateRawSync(bytes, { level: constants.Z_BEST_COMPRESSION }));

/** Bytes that inflate to a thousand times their length: flushed runs of zeros. */
function bombOf(sizeBytes: number): Uint8Array<ArrayBuffer> {
  const level = constants.Z_BEST_COMPRESSION;
  const stretch = deflateRawSync(new Uint8Array(mib), { level, finishFlush: constants.Z_FULL_FLUSH });
  const bomb = new Uint8Array(sizeBytes);
  for (let at = 0; at < sizeBytes; at += stretch.byteLength)
    bomb.set(stretch.subarray(0, sizeBytes - at), at);
  return bomb;
}

/** Memory the library has dropped still counts here: no garbage is collected while it works. */
const mostTakenMib = { "the platform": 2, "the library": 8 } as const;

describe.each(["the platform", "the library"] as const)("inflating by %s", (by) => {
  beforeEach(() => {
    if (by === "the library") vi.stubGlobal("DecompressionStream", undefined);
    return () => void vi.unstubAllGlobals();
  });

  it("round-trips deflated data", async () => {
    const text = new TextEncoder().encode("all work and no play ".repeat(20_000));
    const small = deflated(text);
    expect(small.byteLength).toBeLessThan(text.byteLength / 50);
    expect(digestText(await inflate(small, text.byteLength))).toBe(digestText(text));
  });

  it("refuses a result of the wrong length", async () => {
    const bytes = deflated(noise(10_000));
    await expect(inflate(bytes, 9_999)).rejects.toMatchObject({ code: "block-invalid" });
    await expect(inflate(bytes, 10_001)).rejects.toMatchObject({ code: "block-invalid" });
  });

  it("refuses invalid or truncated data", async () => {
    const bytes = deflated(noise(10_000));
    for (const wrong of [noise(5_000, 7), bytes.slice(0, -10)])
      await expect(inflate(wrong, 10_000)).rejects.toMatchObject({ code: "block-invalid" });
  });

  it.each(process.env.WARREN_LONG === "1" ? [1, 16, 128, 1_024, 8_192] : [1, 128, 8_192])(
    "stops early at a bomb of %s KiB, holding little of it",
    async (sizeKib) => {
      const bomb = bombOf(sizeKib * 1024);
      const before = process.memoryUsage().arrayBuffers;
      let peak = 0;
      const measure = () => {
        peak = Math.max(peak, process.memoryUsage().arrayBuffers - before);
      };
      const watch = setInterval(measure, 1);
      await expect(inflate(bomb, 512 * 1024)).rejects.toMatchObject({ code: "block-invalid" });
      clearInterval(watch);
      // The library works synchronously: its memory is still counted, because no garbage was collected yet.
      measure();
      expect(peak).toBeLessThan(mostTakenMib[by] * mib);
    },
  );

  it("treats a bomb inside a deflated chunk as plain bytes", async () => {
    const bomb = bombOf(64 * 1024);
    const within = deflated(bomb);
    expect(within.byteLength).toBeLessThan(4 * 1024);
    expect(digestText(await inflate(within, bomb.byteLength))).toBe(digestText(bomb));
    await expect(inflate(within, bomb.byteLength - 1)).rejects.toMatchObject({ code: "block-invalid" });
  });
});
