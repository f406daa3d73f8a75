import { ownThreadCompressor, type PackedChunk, systemClock } from "@warren/core";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import {
  type CompressionAnswer,
  type CompressionRequest,
  type CompressionThread,
  CompressionThreads,
} from "./compression-threads.ts";

const deflated = (bytes: Uint8Array<ArrayBuffer>): Promise<PackedChunk> =>
  ownThreadCompressor.compress(bytes, null);
const text = new TextEncoder().encode("all work and no play ".repeat(2_000));

/** A thread that replies when the test tells it to. */
class FakeThread implements CompressionThread {
  readonly asked: CompressionRequest[] = [];
  isEnded = false;
  readonly #target = new EventTarget();

  postMessage(message: CompressionRequest, transfer: Transferable[]): void {
    this.asked.push(structuredClone(message, { transfer }));
  }

  addEventListener(type: string, listener: (event: MessageEvent<CompressionAnswer>) => void): void {
    this.#target.addEventListener(type, listener as EventListener);
  }

  terminate(): void {
    this.isEnded = true;
  }

  reply(data: CompressionAnswer): void {
    this.#target.dispatchEvent(new MessageEvent("message", { data }));
  }

  fail(): void {
    this.#target.dispatchEvent(new Event("error"));
  }

  async answer(): Promise<void> {
    for (const { id, bytes } of this.asked.splice(0)) this.reply({ id, packed: await deflated(bytes) });
  }
}

function setUp(threads = 2) {
  const started: FakeThread[] = [];
  const open = vi.fn(() => {
    const thread = new FakeThread();
    started.push(thread);
    return thread;
  });
  return { started, open, compressor: new CompressionThreads({ threads, clock: systemClock, open }) };
}

describe("compression threads", () => {
  beforeEach(
    () => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] }),
  );
  afterEach(() => void vi.useRealTimers());

  it("share the work and leave their input unchanged", async () => {
    const { compressor, started } = setUp();
    const slice = new Uint8Array([...text, ...text]);
    const halves = [slice.subarray(0, text.byteLength), slice.subarray(text.byteLength)];
    const asked = halves.map((half) => compressor.compress(half, null));
    expect(started.map((thread) => thread.asked.length)).toEqual([1, 1]);
    for (const thread of started) await thread.answer();
    for (const packed of await Promise.all(asked)) expect(packed).toEqual(await deflated(text));
    expect(slice).toEqual(new Uint8Array([...text, ...text]));
  });

  it("start on demand and stop when idle", async () => {
    const { compressor, started, open } = setUp(1);
    expect(open).not.toHaveBeenCalled();
    const first = compressor.compress(text, null);
    await started[0]?.answer();
    await first;
    vi.advanceTimersByTime(9_000);
    const second = compressor.compress(text, null);
    vi.advanceTimersByTime(2_000);
    expect(started[0]?.isEnded).toBe(false);
    await started[0]?.answer();
    await second;
    vi.advanceTimersByTime(10_000);
    expect(started[0]?.isEnded).toBe(true);
    const third = compressor.compress(text, null);
    await started[1]?.answer();
    expect(await third).toEqual(await deflated(text));
  });

  it("are abandoned once one fails, and nothing is lost", async () => {
    const { compressor, started, open } = setUp();
    const asked = [compressor.compress(text, null), compressor.compress(text, null)];
    started[1]?.fail();
    for (const packed of await Promise.all(asked)) expect(packed).toEqual(await deflated(text));
    expect(started.map(({ isEnded }) => isEnded)).toEqual([true, true]);
    expect(await compressor.compress(text, null)).toEqual(await deflated(text));
    expect(open).toHaveBeenCalledTimes(2);
  });

  it("are abandoned if one does not answer", async () => {
    const { compressor, started } = setUp();
    const asked = compressor.compress(text, null);
    vi.advanceTimersByTime(12_000);
    expect(await asked).toEqual(await deflated(text));
    expect(started.map(({ isEnded }) => isEnded)).toEqual([true]);
  });

  it("are not used if none can be started", async () => {
    const { compressor, open } = setUp();
    open.mockImplementation(() => {
      throw new DOMException("no workers within workers", "NotSupportedError");
    });
    expect(await compressor.compress(text, null)).toEqual(await deflated(text));
    await compressor.compress(text, null);
    expect(open).toHaveBeenCalledTimes(1);
  });

  it("receive the zstd level, and return the encoding with the result", async () => {
    const { compressor, started } = setUp(1);
    const asked = compressor.compress(text, 6);
    expect(started[0]?.asked.map(({ zstdLevel }) => zstdLevel)).toEqual([6]);
    const packed: PackedChunk = { bytes: text.slice(0, 9), encoding: "zstd" };
    started[0]?.reply({ id: 0, packed });
    expect(await asked).toEqual(packed);
  });

  it("ignore replies to nothing, and the page compresses what a thread could not", async () => {
    const { compressor, started } = setUp(1);
    const asked = compressor.compress(text, null);
    started[0]?.reply({ id: 99, packed: null });
    started[0]?.reply({ id: 0, packed: null });
    expect(await asked).toEqual(await deflated(text));
  });
});
