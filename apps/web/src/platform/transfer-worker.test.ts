import "fake-indexeddb/auto";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
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

it("stores files in IndexedDB if the worker has not responded for twenty seconds", async () => {
  const { storage } = createTransferWorker("silent");
  const listed = storage.listRecords();
  await vi.advanceTimersByTimeAsync(19_000);
  expect(terminate).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(terminate).toHaveBeenCalledOnce();
  expect(await listed).toEqual([]);
  expect(storage.kind).toBe("indexeddb");
});

it("moves no bytes in the worker where the browser creates no connection to test it with", async () => {
  vi.stubGlobal("RTCPeerConnection", function Blocked() {
    throw new DOMException("blocked", "NotAllowedError");
  });
  await expect(createTransferWorker("silent").transferWorker.moves("send", "a")).resolves.toBe(false);
});

describe("persistent storage", () => {
  const moves = (storage: unknown) => {
    vi.stubGlobal("navigator", { storage });
    vi.stubGlobal(
      "RTCPeerConnection",
      class NoChannels {
        createDataChannel = () => {
          throw new Error("closed");
        };
        close = () => {};
      },
    );
    return createTransferWorker("silent").transferWorker.moves;
  };

  it("is requested with the first received file, once, whatever the browser answers", async () => {
    const persist = vi.fn(() => Promise.reject(new TypeError("not here")));
    const asked = moves({ persist });
    await asked("send", "a");
    expect(persist).not.toHaveBeenCalled();
    await asked("receive", "b");
    await asked("receive", "c");
    expect(persist).toHaveBeenCalledTimes(1);
  });

  it.each([undefined, {}])("is not requested if unsupported: %j", async (storage) => {
    await expect(moves(storage)("receive", "a")).resolves.toBe(false);
  });
});
