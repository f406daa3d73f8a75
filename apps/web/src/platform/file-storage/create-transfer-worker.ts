import {
  type FileStorage,
  type ReadManifest,
  readManifest,
  settledInTime,
  systemClock,
  type TransferWorker,
} from "@warren/core";
import { type ErrorCode, toWarrenError, WarrenError } from "@warren/protocol";
import { openWire, type WireEnd } from "../../workers/thread-wire.ts";
import workerAddress from "../../workers/transfer-worker.ts?worker&url";
import { trustedUrl } from "../../workers/trusted-url.ts";
import { consoleLog } from "../console-log.ts";
import { IndexedDbFileStorage } from "./indexeddb-file-storage.ts";
import { OpfsFileStorage } from "./opfs-file-storage.ts";
import { WorkerFiles } from "./worker-files.ts";

/** Where files are stored, and the worker that transfers them and reads their manifests. */
export interface FileTransfers {
  readonly storage: FileStorage;
  readonly readManifest: ReadManifest;
  readonly transferWorker: TransferWorker;
}

/**
 * The time limit for the worker's first reply. Firefox 140 sometimes never replies to calls to its private
 * file system after several workers were started and terminated; everything about files would wait for it.
 */
const startLimitMs = 20_000;

/** What is wrong with a manifest itself, whoever reads it. */
const verdicts: ReadonlySet<ErrorCode> = new Set(["tree-invalid", "tree-too-large"]);

/**
 * The worker that keeps files under a name and moves their bytes; it starts with the first call to it. Where the browser
 * cannot transfer data channels to it, bytes pass through the page; where it cannot store files, they are stored in IndexedDB.
 * @param batchChunks the most chunks that IndexedDB collects before it writes them.
 */
export function createTransferWorker(name: string, batchChunks?: () => number): FileTransfers {
  const worker = new LateWorker(() => {
    const started = new Worker(trustedUrl(workerAddress), { name, type: "module" });
    // A script that fails to load or throws at its start; later failures are replies to calls.
    started.addEventListener("error", (event) => {
      event.preventDefault();
      consoleLog.warn("the transfer worker failed", { reason: event.message });
      stop("the transfer worker failed");
    });
    return started;
  });
  const files = new WorkerFiles(openWire(worker, "files"));
  const isSupported = (): Promise<boolean> => {
    const answer = files.call("isSupported", {});
    const late = setTimeout(() => {
      consoleLog.warn("the transfer worker does not answer");
      stop("the transfer worker does not answer");
    }, startLimitMs);
    void answer.catch(() => {}).finally(() => clearTimeout(late));
    return answer;
  };
  const storage = new OpfsFileStorage(
    files,
    isSupported,
    new IndexedDbFileStorage(name, batchChunks && { batchChunks }),
    () => stop("closed"),
  );
  let reportGone = (_reason: WarrenError): void => {};
  const gone = new Promise<WarrenError>((resolve) => {
    reportGone = resolve;
  });
  /** Null until a file needs it. */
  let isUsable: boolean | null = null;

  function stop(reason: string): void {
    worker.terminate();
    const error = new WarrenError("storage-failed", { reason });
    isUsable = false;
    files.fail(error);
    reportGone(error);
  }

  let isPersistenceAsked = false;
  /**
   * Asks the browser, once, to keep the app's data even if the disk is full. Asked with the first received file, because
   * some browsers prompt the user, who then knows what it is for. A refusal changes nothing.
   */
  const askForPersistence = (): void => {
    if (isPersistenceAsked) return;
    isPersistenceAsked = true;
    // Missing outside secure contexts, and without `persist` in older browsers, although the types declare it.
    const manager: Partial<StorageManager> | undefined = navigator.storage;
    manager?.persist?.().catch(() => false);
  };

  const moves: TransferWorker["moves"] = async (mode, fid) => {
    if (mode === "receive") askForPersistence();
    isUsable ??= takesChannels(worker);
    return isUsable && (mode === "send" || (await storage.isInWorker(fid)));
  };
  /** The page reads what the worker does not: it may be gone, or write a file for longer than anybody waits. */
  const readInWorker: ReadManifest = async (manifest, { fileSize, tree }) => {
    const description = { fileSize, tree };
    try {
      const read = files.call("readManifest", { manifest, description });
      return await settledInTime(systemClock, "worker", read);
    } catch (thrown) {
      if (verdicts.has(toWarrenError(thrown).code)) throw thrown;
      return readManifest(manifest, description);
    }
  };
  return {
    storage,
    readManifest: readInWorker,
    transferWorker: { port: openWire(worker, "transfers"), gone, moves },
  };
}

/** A worker that starts with the first message to it. */
class LateWorker implements WireEnd {
  readonly #start: () => Worker;
  readonly #listeners = new Set<(event: MessageEvent) => void>();
  #worker: Worker | null = null;

  constructor(start: () => Worker) {
    this.#start = start;
  }

  postMessage(message: unknown, transfer: Transferable[]): void {
    if (this.#worker === null) {
      this.#worker = this.#start();
      for (const listener of this.#listeners) this.#worker.addEventListener("message", listener);
    }
    this.#worker.postMessage(message, transfer);
  }

  addEventListener(type: "message", listener: (event: MessageEvent) => void): void {
    this.#listeners.add(listener);
    this.#worker?.addEventListener(type, listener);
  }

  removeEventListener(type: "message", listener: (event: MessageEvent) => void): void {
    this.#listeners.delete(listener);
    this.#worker?.removeEventListener(type, listener);
  }

  terminate(): void {
    this.#worker?.terminate();
  }
}

/** Whether a data channel can be transferred to a worker: tested with an unconnected one. */
function takesChannels(worker: WireEnd): boolean {
  let connection: RTCPeerConnection | undefined;
  try {
    connection = new RTCPeerConnection();
    const channel = connection.createDataChannel("");
    worker.postMessage(null, [channel]);
    return true;
  } catch {
    return false;
  } finally {
    connection?.close();
  }
}
