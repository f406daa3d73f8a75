import { deflate } from "@warren/core";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type DeflateThread, DeflateThreads } from "./deflate-threads.ts";
import { threadClock } from "./thread-clock.ts";

const text = new TextEncoder().encode("all work and no play ".repeat(2_000));

/** A thread that answers when it is told to. */
class FakeThread implements DeflateThread {
  readonly asked: { readonly id: number; readonly bytes: Uint8Array<ArrayBuffer> }[] = [];
  isEnded = false;
  readonly #target = new EventTarget();

  postMessage(message: { id: number; bytes: Uint8Array<ArrayBuffer> }, transfer: Transferable[]): void {
    this.asked.push(structuredClone(message, { transfer }));
  }

  addEventListener(type: string, listener: (event: MessageEvent<unknown>) => void): void {
    this.#target.addEventListener(type, listener as EventListener);
  }

  terminate(): void {
    this.isEnded = true;
  }

  tell(data: unknown): void {
    this.#target.dispatchEvent(new MessageEvent("message", { data }));
  }

  fail(): void {
    this.#target.dispatchEvent(new Event("error"));
  }

  async answer(): Promise<void> {
    for (const { id, bytes } of this.asked.splice(0)) this.tell({ id, deflated: await deflate(bytes) });
  }
}

function setUp(threads = 2) {
  const started: FakeThread[] = [];
  const open = vi.fn(() => {
    const thread = new FakeThread();
    started.push(thread);
    return thread;
  });
  return { started, open, deflater: new DeflateThreads({ threads, clock: threadClock, open }) };
}

describe("threads that deflate", () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
  afterEach(() => void vi.useRealTimers());

  it("share the work, and leave what they are given as it is", async () => {
    const { deflater, started } = setUp();
    const slice = new Uint8Array([...text, ...text]);
    const halves = [slice.subarray(0, text.byteLength), slice.subarray(text.byteLength)];
    const asked = halves.map((half) => deflater.deflate(half));
    expect(started.map((thread) => thread.asked.length)).toEqual([1, 1]);
    for (const thread of started) await thread.answer();
    for (const deflated of await Promise.all(asked)) expect(deflated).toEqual(await deflate(text));
    expect(slice).toEqual(new Uint8Array([...text, ...text]));
  });

  it("are started when they are needed, and end when nobody needs them", async () => {
    const { deflater, started, open } = setUp(1);
    expect(open).not.toHaveBeenCalled();
    const first = deflater.deflate(text);
    vi.advanceTimersByTime(60_000);
    expect(started[0]?.isEnded).toBe(false);
    await started[0]?.answer();
    await first;
    vi.advanceTimersByTime(9_000);
    const second = deflater.deflate(text);
    vi.advanceTimersByTime(9_000);
    expect(started[0]?.isEnded).toBe(false);
    await started[0]?.answer();
    await second;
    vi.advanceTimersByTime(10_000);
    expect(started[0]?.isEnded).toBe(true);
    const third = deflater.deflate(text);
    await started[1]?.answer();
    expect(await third).toEqual(await deflate(text));
  });

  it("are done without once one fails, and nothing is lost", async () => {
    const { deflater, started, open } = setUp();
    const asked = [deflater.deflate(text), deflater.deflate(text)];
    started[1]?.fail();
    for (const deflated of await Promise.all(asked)) expect(deflated).toEqual(await deflate(text));
    expect(started.map(({ isEnded }) => isEnded)).toEqual([true, true]);
    expect(await deflater.deflate(text)).toEqual(await deflate(text));
    expect(open).toHaveBeenCalledTimes(2);
  });

  it("are done without where none can be started", async () => {
    const { deflater, open } = setUp();
    open.mockImplementation(() => {
      throw new DOMException("no workers within workers", "NotSupportedError");
    });
    expect(await deflater.deflate(text)).toEqual(await deflate(text));
    await deflater.deflate(text);
    expect(open).toHaveBeenCalledTimes(1);
  });

  it("ignore an answer that follows no format, and redo what a thread could not", async () => {
    const { deflater, started } = setUp(1);
    const asked = deflater.deflate(text);
    for (const wrong of [null, 7, {}, { id: -1, deflated: text }, { id: 0, deflated: "text" }, { id: 99 }])
      started[0]?.tell(wrong);
    started[0]?.tell({ id: 0, deflated: null });
    expect(await asked).toEqual(await deflate(text));
  });
});
