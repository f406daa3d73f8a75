import "fake-indexeddb/auto";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createTransferWorker } from "./transfer-worker.ts";

const terminate = vi.fn();

/** A worker that never responds. */
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

it("stores files in IndexedDB if the worker has not responded for half a minute", async () => {
  const { storage } = createTransferWorker("silent");
  const listed = storage.listRecords();
  await vi.advanceTimersByTimeAsync(29_000);
  expect(terminate).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(terminate).toHaveBeenCalledOnce();
  expect(await listed).toEqual([]);
  expect(storage.kind).toBe("indexeddb");
});
