import { describe, expect, it } from "vitest";
import { sampleOf } from "./sample.ts";

const mib = 1024 * 1024;
const changed = (bytes: Uint8Array<ArrayBuffer>, at: number) => {
  const other = bytes.slice();
  other[at] = 1;
  return new Blob([other]);
};

describe("a sample", () => {
  it("equals the example of the protocol document", async () => {
    expect(await sampleOf(new Blob(["hello"]))).toBe(
      "7df1c7f9028a893c87ddb4fcb66b50d4e574a7b613e28c23aabc0b4646274c3e",
    );
  });

  it("covers every byte of a file of 1 MiB, and the first and last 64 KiB of a larger one", async () => {
    for (const size of [mib, 3 * mib + 1]) {
      const bytes = new Uint8Array(size);
      const sample = await sampleOf(new Blob([bytes]));
      for (const at of [0, 65_535, size - 65_536, size - 1])
        expect(await sampleOf(changed(bytes, at))).not.toBe(sample);
      expect((await sampleOf(changed(bytes, 65_536 + 1_000))) === sample).toBe(size > mib);
    }
  });

  it("distinguishes sizes when the sampled bytes are equal", async () => {
    const samples = await Promise.all(
      [4, 5, 6].map((size) => sampleOf(new Blob([new Uint8Array(size * mib)]))),
    );
    expect(new Set(samples).size).toBe(3);
  });

  it("is null for an empty or unreadable file", async () => {
    expect(await sampleOf(new Blob([]))).toBeNull();
    const gone = new Blob([new Uint8Array(2 * mib)]);
    gone.slice = () => {
      throw new DOMException("gone", "NotReadableError");
    };
    expect(await sampleOf(gone)).toBeNull();
  });
});
