import "fake-indexeddb/auto";
import { createHash } from "node:crypto";
import { WarrenError } from "@warren/protocol";
import { encodeManifest } from "@warren/protocol/tree";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { FileService } from "../../workers/file-service.ts";
import { openWire, type WireEnd } from "../../workers/thread-wire.ts";
import { createTransferWorker } from "./create-transfer-worker.ts";

const terminate = vi.fn();

/** A worker that never responds. */
class SilentWorker extends EventTarget {
  readonly postMessage = () => {};
  readonly terminate = terminate;
}

beforeEach(() => {
  vi.stubGlobal("Worker", SilentWorker);
  vi.stubGlobal("navigator", {});
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
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

describe("a manifest", () => {
  const manifest = encodeManifest([{ kind: "folder", path: "empty" }]);
  const manifestDigest = createHash("sha256").update(manifest).digest("hex");
  const tree = {
    kind: "folder",
    files: 0,
    folders: 1,
    manifestSize: manifest.length,
    manifestDigest,
  } as const;
  const description = { fileSize: manifest.length, tree };

  /** Starts a worker that passes calls to a `FileService`, on a copy. @returns the names of the calls. */
  function workerAt(service: (end: WireEnd) => void): string[] {
    const calls: string[] = [];
    vi.stubGlobal(
      "Worker",
      class PassingWorker extends EventTarget {
        readonly #inner = new EventTarget();
        constructor() {
          super();
          service({
            postMessage: (data) =>
              this.dispatchEvent(new MessageEvent("message", { data: structuredClone(data) })),
            addEventListener: this.#inner.addEventListener.bind(this.#inner) as WireEnd["addEventListener"],
            removeEventListener: () => {},
          });
        }
        postMessage(data: { readonly message: { readonly name: string } }) {
          calls.push(data.message.name);
          this.#inner.dispatchEvent(new MessageEvent("message", { data: structuredClone(data) }));
        }
        terminate = terminate;
      },
    );
    return calls;
  }

  it("is read in the worker, even where that stores no files", async () => {
    const calls = workerAt((end) => new FileService(openWire(end, "files"), Promise.resolve(null)));
    const { readManifest } = createTransferWorker("reads");
    expect(await readManifest(manifest, description)).toEqual([{ kind: "folder", path: "empty" }]);
    expect(calls).toEqual(["readManifest"]);
  });

  it("is not read again where the worker finds it wrong", async () => {
    const error = new WarrenError("tree-too-large", { limit: 7 }).describe();
    workerAt((end) => {
      const wire = openWire<object, { readonly id: number }>(end, "files");
      wire.on("message", ({ id }) => wire.post({ id, error }));
    });
    const { readManifest } = createTransferWorker("refuses");
    await expect(readManifest(manifest, description)).rejects.toMatchObject(error);
  });

  it("is read in the page if the worker has not responded for 24 seconds", async () => {
    const { readManifest } = createTransferWorker("silent");
    const read = readManifest(manifest, description);
    await vi.advanceTimersByTimeAsync(24_000);
    expect(await read).toEqual([{ kind: "folder", path: "empty" }]);
  });
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
