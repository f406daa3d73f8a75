import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { noise } from "../../testing/file-peers.ts";
import { createZstd, loadZstdModule } from "../../testing/zstd-module.ts";
import { Zstd } from "./zstd.ts";
import { ZstdInstance } from "./zstd-instance.ts";

const mib = 1024 * 1024;
const isLong = process.env.WARREN_LONG === "1";
const text = new TextEncoder().encode("all work and no play ".repeat(20_000));
const zstd = createZstd();

/** Comparing arrays of this size element by element takes seconds. */
const same = (bytes: Uint8Array | null, other: Uint8Array) =>
  bytes !== null && Buffer.compare(bytes, other) === 0;

async function frameOf(bytes: Uint8Array<ArrayBuffer>, level = 1): Promise<Uint8Array<ArrayBuffer>> {
  const frame = await zstd.compress(bytes, level);
  if (!frame) throw new Error("not compressed");
  return frame;
}

/** A frame that states this content size and requests the largest window. */
function frameWith(contentBytes: number, ...blocks: readonly number[]): Uint8Array<ArrayBuffer> {
  const frame = new Uint8Array(14 + blocks.length);
  // Magic number; a content size of 8 bytes and a window descriptor; the window: 2^41 bytes and seven eighths more.
  frame.set([0x28, 0xb5, 0x2f, 0xfd, 0xc0, 0xff]);
  new DataView(frame.buffer).setBigUint64(6, BigInt(contentBytes), true);
  frame.set(blocks, 14);
  return frame;
}

/** A block header and its byte: `size` times that byte, 128 KiB at most. */
const repeated = (size: number, isLast: boolean) => {
  const header = (size << 3) | 2 | (isLast ? 1 : 0);
  return [header & 0xff, (header >> 8) & 0xff, header >> 16, 7];
};

describe("zstd", () => {
  it("round-trips at every used level, whatever ran before", async () => {
    for (const level of [1, 6, 8, 9])
      for (const bytes of [text, new Uint8Array(4 * mib), text.subarray(0, 1), noise(100_000)]) {
        const frame = await frameOf(bytes, level);
        expect(same(await zstd.decompress(frame, bytes.byteLength), bytes)).toBe(true);
      }
    expect((await frameOf(text)).byteLength).toBeLessThan(text.byteLength / 100);
  });

  it("is deterministic, since parts of a chunk may come from two packings", async () => {
    const first = await frameOf(text);
    await frameOf(noise(700_000), 9);
    expect(await frameOf(text)).toEqual(first);
    expect(await createZstd().compress(text, 1)).toEqual(first);
  });

  it("round-trips any bytes", async () => {
    const runs = fc.array(fc.tuple(fc.uint8Array({ maxLength: 40 }), fc.nat(300)), { maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(runs, fc.constantFrom(1, 6, 9), async (parts, level) => {
        const bytes = Uint8Array.from(
          parts.flatMap(([part, times]) =>
            Array(times)
              .fill([...part])
              .flat(),
          ),
        );
        fc.pre(bytes.byteLength > 0);
        expect(same(await zstd.decompress(await frameOf(bytes, level), bytes.byteLength), bytes)).toBe(true);
      }),
      { numRuns: isLong ? 5_000 : 200 },
    );
  });

  it("refuses a frame of the wrong length", async () => {
    const frame = await frameOf(text);
    for (const lengthBytes of [text.byteLength - 1, text.byteLength + 1, 1])
      expect(await zstd.decompress(frame, lengthBytes)).toBeNull();
  });

  it("refuses a frame that is truncated, invalid, followed by more data, or needs a dictionary", async () => {
    const frame = await frameOf(text);
    const skippable = Uint8Array.of(0x50, 0x2a, 0x4d, 0x18, 0, 0, 0, 0);
    const join = (...parts: Uint8Array[]) => new Uint8Array(Buffer.concat(parts));
    const withDictionary = frame.slice();
    withDictionary[4] = (withDictionary[4] ?? 0) | 1;
    for (const wrong of [
      frame.slice(0, -1),
      frame.slice(0, 5),
      frame.slice(0, 0),
      noise(5_000, 7),
      join(skippable, frame),
      join(frame, frame),
      join(frame, noise(10)),
      withDictionary,
    ])
      expect(await zstd.decompress(wrong, text.byteLength)).toBeNull();
    expect(same(await zstd.decompress(frame, text.byteLength), text)).toBe(true);
  });

  it.each([
    ["says what it holds", 512 * 1024 * 1024],
    ["says that it holds what it must", 512 * 1024],
    ["says so in the lowest of its 64 bits alone", 2 ** 32 + 512 * 1024],
  ])("stops at a bomb that %s, in no more memory than before", async (_, saidBytes) => {
    const blocks = Array.from({ length: 4_096 }, (_unused, index) => repeated(128 * 1024, index === 4_095));
    const bomb = frameWith(saidBytes, ...blocks.flat());
    const instance = new ZstdInstance(await loadZstdModule());
    const before = instance.memoryBytes;
    expect(instance.decompress(bomb, 512 * 1024)).toBeNull();
    expect(instance.memoryBytes).toBeLessThan(before + mib);
  });

  it("allocates no window, however large a frame requests", async () => {
    const instance = new ZstdInstance(await loadZstdModule());
    const before = instance.memoryBytes;
    instance.decompress(frameWith(1_000, ...repeated(1_000, true)), 1_000);
    expect(instance.memoryBytes).toBeLessThan(before + mib);
  });

  it("decompresses or refuses any input, without a trap, and still works afterwards", async () => {
    const lengthBytes = 20_000;
    // Words in random order, for tables, literals and sequences, not only repetition.
    const words = Uint8Array.from(noise(lengthBytes), (byte, at) => text[(byte * 7 + at) % 200] ?? 0);
    const frame = await frameOf(words, 3);
    expect(frame.byteLength).toBeGreaterThan(1_000);
    const instance = new ZstdInstance(await loadZstdModule());
    const edits = fc.array(fc.tuple(fc.nat(frame.byteLength - 1), fc.nat(255)), {
      minLength: 1,
      maxLength: 8,
    });
    const bent = edits.map((changes) => {
      const wrong = frame.slice();
      for (const [at, value] of changes) wrong[at] = value;
      return wrong;
    });
    const near = fc
      .tuple(fc.uint8Array({ minLength: 1, maxLength: 300 }), fc.constantFrom(lengthBytes, 0, 40_000))
      .map(([rest, said]) => frameWith(said, ...rest));
    fc.assert(
      fc.property(fc.oneof(bent, near, fc.uint8Array({ maxLength: 300 })), (wrong) => {
        const unpacked = instance.decompress(wrong, lengthBytes);
        expect(unpacked?.byteLength ?? lengthBytes).toBe(lengthBytes);
      }),
      { numRuns: isLong ? 200_000 : 5_000 },
    );
    expect(same(instance.decompress(frame, lengthBytes), words)).toBe(true);
    expect(instance.memoryBytes).toBeLessThan(20 * mib);
  });

  it("needs nothing of the thread that it runs in", async () => {
    expect(WebAssembly.Module.imports(await loadZstdModule())).toEqual([]);
  });

  it("has a bounded memory", async () => {
    const instance = new ZstdInstance(await loadZstdModule());
    expect(() => instance.compress(new Uint8Array(40 * mib), 1)).toThrow(WebAssembly.RuntimeError);
    expect(instance.memoryBytes).toBeLessThanOrEqual(64 * mib);
  });
});

describe("the zstd loader", () => {
  afterEach(() => void vi.unstubAllGlobals());

  it("discards an instance that trapped, and continues with a new one", async () => {
    const used = createZstd();
    const decompress = vi.spyOn(ZstdInstance.prototype, "decompress");
    const frame = await frameOf(text);
    decompress.mockImplementationOnce(() => {
      throw new WebAssembly.RuntimeError("unreachable");
    });
    expect(await used.decompress(frame, text.byteLength)).toBeNull();
    expect(same(await used.decompress(frame, text.byteLength), text)).toBe(true);
    expect(same(await used.decompress(frame, text.byteLength), text)).toBe(true);
    const [trapped, second, third] = decompress.mock.contexts;
    expect(second).not.toBe(trapped);
    expect(third).toBe(second);
  });

  it("loads the library once, at its first use", async () => {
    const load = vi.fn(loadZstdModule);
    const used = new Zstd(load);
    expect(used.isUsable).toBe(true);
    expect(load).not.toHaveBeenCalled();
    await Promise.all([used.compress(text, 1), used.compress(text, 1)]);
    expect(load).toHaveBeenCalledTimes(1);
  });

  it("works without it if it does not load, or is the wrong library", async () => {
    const other = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);
    for (const load of [
      () => Promise.reject(new TypeError("Failed to fetch")),
      async () => new WebAssembly.Module(other),
    ]) {
      const used = new Zstd(load);
      expect(await used.compress(text, 1)).toBeNull();
      expect(await used.decompress(await frameOf(text), text.byteLength)).toBeNull();
      expect(used.isUsable).toBe(false);
    }
  });

  it("detects without loading that compiling is not allowed", async () => {
    const load = vi.fn(loadZstdModule);
    vi.stubGlobal("WebAssembly", {
      Module: class {
        constructor() {
          throw new EvalError("blocked by the content security policy");
        }
      },
    });
    const blocked = new Zstd(load);
    expect([blocked.isUsable, await blocked.compress(text, 1)]).toEqual([false, null]);
    vi.stubGlobal("WebAssembly", undefined);
    expect(new Zstd(load).isUsable).toBe(false);
    expect(load).not.toHaveBeenCalled();
  });
});
