import "fake-indexeddb/auto";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { startTransferWorker } from "./transfer-worker.ts";

const terminate = vi.fn();

/** A worker that never answers. */
class SilentWorker extends EventTarget {
  readonly postMessage = () => {};
  readonly terminate = terminate;
}

beforeEach(() => {
  vi.stubGlobal("Worker", SilentWorker);
  vi.stubGlobal("navigator", {});
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  vi.spyOn(console, "warn").mockImplementation(() => {});
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("keeps files in IndexedDB once the worker has not answered for half a minute", async () => {
  const { storage } = startTransferWorker("silent");
  const listed = storage.listRecords();
  await vi.advanceTimersByTimeAsync(29_000);
  expect(terminate).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(terminate).toHaveBeenCalledOnce();
  expect(await listed).toEqual([]);
  expect(storage.kind).toBe("indexeddb");
});
