import { describe, expect, it } from "vitest";
import { collectGarbage } from "../testing/collect-garbage.ts";
import { digestText, noise } from "../testing/file-peers.ts";
import { blobSource, lazySource } from "./file-source.ts";

const mib = 1024 * 1024;

/** A blob whose stream never answers, and that only its reader keeps alive: Chromium's keeps itself alive no better. */
class SilentBlob extends Blob {
  static streams: WeakRef<ReadableStream>[] = [];
  override slice(start?: number, end?: number): Blob {
    return new SilentBlob([super.slice(start, end)]);
  }
  override stream(): ReturnType<Blob["stream"]> {
    const stream = new ReadableStream({ type: "bytes", pull: () => new Promise<void>(() => {}) });
    SilentBlob.streams.push(new WeakRef(stream));
    return stream as ReturnType<Blob["stream"]>;
  }
}

/** A picked file that the browser refuses to read once it has a failure. As in browsers, streams do not say why. */
class PickedBlob extends Blob {
  failure: DOMException | null = null;

  override slice(start?: number, end?: number): Blob {
    const slice = super.slice(start, end);
    const { failure } = this;
    if (failure !== null) {
      slice.arrayBuffer = () => Promise.reject(failure);
      slice.stream = () =>
        new ReadableStream({ type: "bytes", pull: () => Promise.reject(new TypeError("network error")) });
    }
    return slice;
  }
}

describe("a file's bytes", () => {
  it("are read into a released buffer, if it is large enough", async () => {
    const bytes = noise(3 * mib);
    const source = blobSource(new Blob([bytes]));
    source.join();
    const small = await source.read(0, 1_000);
    source.release(small);
    const first = await source.read(0, mib);
    expect(small.byteLength).toBe(1_000);
    source.release(first);
    const second = await source.read(mib + 1, 2 * mib);
    // Its memory has moved to the second read.
    expect(first.byteLength).toBe(0);
    expect(digestText(second)).toBe(digestText(bytes.subarray(mib + 1, 2 * mib)));
    expect(second.buffer.byteLength).toBe(mib);
    expect(digestText(await source.read(2 * mib, 3 * mib))).toBe(digestText(bytes.subarray(2 * mib)));
    expect(digestText(second)).toBe(digestText(bytes.subarray(mib + 1, 2 * mib)));
  });

  it("stay as they are when one of two senders that share a read leaves and releases them", async () => {
    const bytes = noise(2 * mib);
    const source = blobSource(new Blob([bytes]));
    const leave = source.join();
    source.join();
    const [first, same] = await Promise.all([source.read(0, mib), source.read(0, mib)]);
    leave();
    source.release(first);
    await source.read(mib, 2 * mib);
    expect(digestText(same)).toBe(digestText(bytes.subarray(0, mib)));
  });

  it.each([
    ["page", "source-changed"],
    ["storage", "source-missing"],
  ] as const)(
    "report a file in %s that has become shorter as %s, also in a released buffer",
    async (location, code) => {
      const blob = new Blob([noise(2 * mib)]);
      const source = lazySource({ sizeBytes: 3 * mib, location, root: null, open: async () => blob });
      source.join();
      source.release(await source.read(0, 2 * mib));
      await expect(source.read(1.5 * mib, 2.5 * mib)).rejects.toMatchObject({ code });
      await expect(source.read(1.5 * mib, 2.5 * mib)).rejects.toMatchObject({ code });
    },
  );

  it.each([
    ["is gone", "NotFoundError", "source-missing"],
    ["has changed", "NotReadableError", "source-changed"],
  ])("report that a picked file %s on the disk, also in a released buffer", async (_what, name, code) => {
    const blob = new PickedBlob([noise(2 * mib)]);
    const source = lazySource({ sizeBytes: 2 * mib, location: "page", root: null, open: async () => blob });
    source.join();
    source.release(await source.read(0, mib));
    blob.failure = new DOMException("refused", name);
    await expect(source.read(mib, 2 * mib)).rejects.toMatchObject({ code });
    await expect(source.read(0, 2 * mib)).rejects.toMatchObject({ code });
  });

  it("stay as they are while several senders may still use them", async () => {
    const bytes = noise(2 * mib);
    const source = blobSource(new Blob([bytes]));
    source.join();
    source.join();
    const first = await source.read(0, mib);
    source.release(first);
    await source.read(mib, 2 * mib);
    expect(digestText(first)).toBe(digestText(bytes.subarray(0, mib)));
  });

  it("come from a stream that is held until it has answered", async () => {
    const blob = new SilentBlob([noise(2 * mib)]);
    const source = lazySource({ sizeBytes: 2 * mib, location: "page", root: null, open: async () => blob });
    source.join();
    source.release(await source.read(0, mib));
    void source.read(mib, 2 * mib);
    for (let round = 0; round < 2; round++) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      collectGarbage();
    }
    expect(SilentBlob.streams).toHaveLength(1);
    expect(SilentBlob.streams[0]?.deref()).toBeDefined();
  });
});
