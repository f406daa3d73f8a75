import { constants, deflateRawSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { digestText, noise } from "../../testing/file-peers.ts";
import { deflate, inflate } from "./deflate.ts";

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

/** The digest of inflated data, which has to be valid. */
async function inflatedDigest(bytes: Uint8Array<ArrayBuffer>, lengthBytes: number): Promise<string> {
  return digestText((await inflate(bytes, lengthBytes)) ?? expect.fail());
}

describe("raw deflate", () => {
  it("round-trips", async () => {
    const text = new TextEncoder().encode("all work and no play ".repeat(20_000));
    for (const small of [deflated(text), await deflate(text)]) {
      expect(small.byteLength).toBeLessThan(text.byteLength / 50);
      expect(await inflatedDigest(small, text.byteLength)).toBe(digestText(text));
    }
  });

  it("refuses a result of the wrong length", async () => {
    const bytes = deflated(noise(10_000));
    expect(await inflate(bytes, 9_999)).toBeNull();
    expect(await inflate(bytes, 10_001)).toBeNull();
  });

  it("refuses invalid or truncated data", async () => {
    const bytes = deflated(noise(10_000));
    for (const wrong of [noise(5_000, 7), bytes.slice(0, -10)])
      expect(await inflate(wrong, 10_000)).toBeNull();
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
      expect(await inflate(bomb, 512 * 1024)).toBeNull();
      clearInterval(watch);
      measure();
      expect(peak).toBeLessThan(2 * mib);
    },
  );

  it("treats a bomb inside a deflated chunk as plain bytes", async () => {
    const bomb = bombOf(64 * 1024);
    const within = deflated(bomb);
    expect(within.byteLength).toBeLessThan(4 * 1024);
    expect(await inflatedDigest(within, bomb.byteLength)).toBe(digestText(bomb));
    expect(await inflate(within, bomb.byteLength - 1)).toBeNull();
  });
});
